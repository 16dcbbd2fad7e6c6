package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.textOf;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;

/// One connection over breaks of its line and restarts of its broker.
class ReturningClientTest {
    @TempDir private Path data = Path.of("");

    private RunningBroker broker;
    private BreakingLine line;
    private Connection connection;
    private final BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new RunningBroker(Map.of("storage.directory", data.toString()));
        line = new BreakingLine(broker.port());
        connection = new WinnowConnectionFactory(line.url() + "?clientID=desk").createConnection();
        connection.setExceptionListener(told::add);
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        line.close();
        broker.close();
        assertThat(told).isEmpty();
    }

    /// Passes bytes on until it breaks; another connection is whole again.
    private static final class BreakingLine implements AutoCloseable {
        private final ServerSocket listener =
                new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Socket> open = new ArrayList<>();

        BreakingLine(int port) throws IOException {
            threads.execute(() -> accept(port));
        }

        private void accept(int port) {
            while (!listener.isClosed()) {
                try {
                    Socket client = listener.accept();
                    keep(client);
                    Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
                    keep(far);
                    threads.execute(() -> copy(client, far));
                    threads.execute(() -> copy(far, client));
                } catch (IOException e) {
                    // The broker is away, or the test has ended.
                    breakAll();
                }
            }
        }

        private void keep(Socket socket) {
            synchronized (open) {
                open.add(socket);
            }
        }

        private static void copy(Socket from, Socket to) {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // Broken: both are closed.
            }
        }

        void breakAll() {
            synchronized (open) {
                for (Socket socket : open) {
                    try {
                        socket.close();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }
                open.clear();
            }
        }

        String url() {
            return "winnow://127.0.0.1:" + listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
            breakAll();
            threads.shutdownNow();
        }
    }

    @Test
    void shouldGoOnAfterARestart() throws Exception {
        // given
        Session session = connection.createSession();
        Topic prices = session.createTopic("prices");
        MessageConsumer orders = session.createConsumer(session.createQueue("orders"));
        MessageConsumer durable = session.createDurableConsumer(prices, "books");
        MessageConsumer live = session.createConsumer(prices);
        MessageProducer toOrders = session.createProducer(session.createQueue("orders"));
        MessageProducer toPrices = session.createProducer(prices);
        send(session, toOrders, "a");

        // when
        broker = broker.restarted();
        send(session, toOrders, "b");
        send(session, toPrices, "c");

        // then
        assertThat(text(orders)).isEqualTo("a");
        assertThat(text(orders)).isEqualTo("b");
        assertThat(text(durable)).isEqualTo("c");
        assertThat(text(live)).isEqualTo("c");
    }

    @Test
    void shouldKeepTemporaryQueuesOverABreak() throws Exception {
        // given
        Session session = connection.createSession();
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(replies);
        try (Connection other = new WinnowConnectionFactory(broker.url()).createConnection()) {
            Session replying = other.createSession();
            MessageProducer producer = replying.createProducer(null);

            // when
            line.breakAll();
            producer.send(replies, replying.createTextMessage("reply"));

            // then
            assertThat(text(consumer)).isEqualTo("reply");
        }
    }

    @Test
    void shouldGiveWhatIsNotAcknowledgedAgain() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        send(session, session.createProducer(session.createQueue("orders")), "a");
        Message lost = receive(consumer);

        // when
        line.breakAll();
        Message again = receive(consumer);

        // then
        assertThat(textOf(again)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThatThrownBy(lost::acknowledge).isInstanceOf(IllegalStateException.class);
        again.acknowledge();
    }

    @Test
    void shouldRollBackAnOpenTransactionOnce() throws Exception {
        // given
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        send(session, producer, "a");

        // when
        broker = broker.restarted();
        assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
        send(session, producer, "b");
        session.commit();

        // then
        assertThat(text(consumer)).isEqualTo("b");
        session.commit();
    }

    @Test
    void shouldStoreEachMessageOnceAndInOrderOverManyBreaks() throws Exception {
        // given
        int count = 300;
        Session sending = connection.createSession();
        MessageProducer producer = sending.createProducer(sending.createQueue("orders"));
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        Thread breaking =
                Thread.ofVirtual()
                        .start(() -> {
                            while (!Thread.interrupted()) {
                                line.breakAll();
                                LockSupport.parkNanos(50_000_000);
                            }
                        });

        // when
        for (int i = 0; i < count; i++) {
            producer.send(sending.createTextMessage("" + i));
        }
        breaking.interrupt();
        breaking.join();
        connection
                .createSession()
                .createConsumer(sending.createQueue("orders"))
                .setMessageListener(message -> got.add(textOf(message)));

        // then
        for (int i = 0; i < count; i++) {
            assertThat(got.poll(20, TimeUnit.SECONDS)).isEqualTo("" + i);
        }
        assertThat(got).isEmpty();
    }
}
