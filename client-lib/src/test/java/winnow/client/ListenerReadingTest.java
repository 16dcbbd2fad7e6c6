package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.transport.WireConnection;

/// A connection on which the thread that runs its only listener reads the deliveries itself.
class ListenerReadingTest {
    private static final int ATTEMPTS = 20_000;

    private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private MessageConsumer consumer;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        connection.start();
        session = connection.createSession();
        consumer = session.createConsumer(session.createTopic("t"));
        consumer.setMessageListener(received::add);
        lend();
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    /// Delivers one message after the other until the listener's thread reads the socket.
    private void lend() throws Exception {
        boolean lent = false;
        for (int i = 0; i < ATTEMPTS && !lent; i++) {
            deliver();
            lent = aThreadReads();
        }
        assertThat(lent).isTrue();
    }

    private void deliver() throws Exception {
        broker.deliver(1, TestMessages.text("hello"));
        assertThat(received.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    private static boolean aThreadReads() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame ->
                        frame.getClassName().equals(WireConnection.class.getName())
                                && frame.getMethodName().equals("readUntil"));
    }

    @Test
    void shouldGiveTheReadingBackWhenNothingComes() throws Exception {
        // when
        Awaiting.until(() -> !aThreadReads());

        // then
        deliver();
    }

    @Test
    void shouldStopAndStartDelivery() throws Exception {
        // when
        connection.stop();
        broker.deliver(1, TestMessages.text("later"));

        // then
        assertThat(aThreadReads()).isFalse();
        assertThat(received).isEmpty();
        connection.start();
        assertThat(received.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void shouldReceiveWhenTheListenerIsTakenAway() throws Exception {
        // when
        consumer.setMessageListener(null);
        broker.deliver(1, TestMessages.text("hello"));

        // then
        assertThat(consumer.receive(10_000)).isNotNull();
    }

    @Test
    void shouldCloseTheConsumerAndMakeAnother() throws Exception {
        // when
        consumer.close();
        session.createConsumer(session.createTopic("t")).setMessageListener(received::add);

        // then
        deliver();
    }

    @Test
    void shouldConfirmWhatAnotherThreadSends() throws Exception {
        // given
        broker.relay();
        Session sending = connection.createSession();
        MessageProducer producer = sending.createProducer(sending.createTopic("t"));

        // when
        for (int i = 0; i < 500; i++) {
            producer.send(sending.createMessage());
        }

        // then
        for (int i = 0; i < 500; i++) {
            assertThat(received.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void shouldConfirmWhatTheListenerSends() throws Exception {
        // given
        MessageProducer producer = session.createProducer(session.createTopic("replies"));
        CompletableFuture<Boolean> replied = new CompletableFuture<>();
        consumer.setMessageListener(message -> {
            try {
                producer.send(session.createMessage());
                consumer.close();
                replied.complete(true);
            } catch (JMSException e) {
                replied.completeExceptionally(e);
            }
        });

        // when
        broker.relay();
        broker.deliver(1, TestMessages.text("request"));

        // then
        assertThat(replied.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldNoticeTheLossOfTheConnection() throws Exception {
        // given
        CompletableFuture<JMSException> lost = new CompletableFuture<>();
        connection.setExceptionListener(lost::complete);

        // when
        broker.cut();

        // then
        assertThat(lost.get(10, TimeUnit.SECONDS)).hasMessageContaining("closed the connection");
    }

    @Test
    void shouldKeepTheOrderWhenMoreComesThanASmallRead() throws Exception {
        // given
        int count = 2_000;
        byte[][] blocks = new byte[count][];
        for (int i = 0; i < count; i++) {
            blocks[i] = TestMessages.text(String.valueOf(i));
        }

        // when
        broker.deliver(1, blocks);

        // then
        for (int i = 0; i < count; i++) {
            Message message = received.poll(10, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            assertThat(message.getBody(String.class)).isEqualTo(String.valueOf(i));
        }
    }
}
