package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import winnow.client.WinnowConnectionFactory;

/// A broker whose disk takes seconds to sync, or fails to.
@EnabledIfSystemProperty(named = "winnow.faulty-disk", matches = ".+")
class FailingSyncTest {
    private static final int MESSAGES = 50;
    private static final long DEADLINE_SECONDS = 30;
    private static final long DEADLINE_MILLIS = TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS);
    private static final long RETRY_MILLIS = 200;

    private final FaultyDisk disk = new FaultyDisk();

    @BeforeEach
    @AfterEach
    void clear() throws IOException {
        disk.clear();
    }

    @Test
    void shouldServeOthersWhileASyncHangs() throws Exception {
        // given
        try (BrokerProcess broker = start();
                Connection slow = connect(broker);
                Connection live = connect(broker)) {
            send(slow, DeliveryMode.PERSISTENT, 1);
            Session session = live.createSession();
            MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
            MessageProducer producer = session.createProducer(session.createTopic("t"));

            // when
            disk.hold();
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendUnchecked(slow, 2));
            disk.awaitHeldSync();

            // then
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(session.createTextMessage(String.valueOf(i)));
                assertThat(consumer.receive(DEADLINE_MILLIS)).isNotNull();
            }
            try (Connection other = connect(broker)) {
                send(other, DeliveryMode.NON_PERSISTENT, 3);
            }
            broker.awaitPage("/metrics", "winnow_storage_stalled_seconds [1-9]");
            broker.awaitPage("/health/ready", "not ready: the store's disk has completed nothing");
            assertThat(sent).isNotDone();

            // when
            disk.release();

            // then
            sent.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            broker.awaitPage("/health/ready", "^ready");
            assertThat(browse(live)).contains(1L, 2L).hasSize(3);
            assertThat(broker.stop()).isZero();
        }
    }

    @Test
    void shouldTakeNothingAfterAFailedSyncUntilTheDiskWorks() throws Exception {
        // given
        List<Long> confirmed = new ArrayList<>();
        try (BrokerProcess broker = start()) {
            try (Connection connection = connect(broker)) {
                for (long i = 1; i <= MESSAGES; i++) {
                    send(connection, DeliveryMode.PERSISTENT, i);
                    confirmed.add(i);
                }

                // when
                disk.sync(FaultyDisk.Sync.FAILED);

                // then
                assertThatThrownBy(() -> send(connection, DeliveryMode.PERSISTENT, MESSAGES + 1))
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("the store takes no more messages")
                        .hasMessageContaining("Input/output error");
                broker.awaitPage("/health/ready", "not ready: the store takes no more messages");
                assertThat(receive(connection, 3)).containsExactly(1L, 2L, 3L);

                // when
                disk.sync(FaultyDisk.Sync.HONEST);
            }
            sendUntilTaken(broker, MESSAGES + 2);
            confirmed.add(MESSAGES + 2L);
            broker.awaitPage("/health/ready", "^ready");
            broker.kill();
        }

        // then what was confirmed before and after is on the disk
        disk.cut();
        try (BrokerProcess broker = start();
                Connection connection = connect(broker)) {
            List<Long> found = browse(connection);
            // It is not known whether the one was written that was refused.
            assertThat(found).isSorted().doesNotHaveDuplicates().containsAll(confirmed);
            assertThat(LongStream.rangeClosed(1, MESSAGES + 2).boxed().toList()).containsAll(found);
            List<Arrival> arrivals = arrivals(connection, 3);
            assertThat(arrivals).as("were received before").allMatch(Arrival::redelivered);
            assertThat(broker.stop()).isZero();
        }
    }

    private BrokerProcess start() throws IOException {
        return BrokerProcess.start(disk.directory(), List.of("-Xmx128m"), List.of());
    }

    private static Connection connect(BrokerProcess broker) throws JMSException {
        Connection connection = new WinnowConnectionFactory(broker.url()).createConnection();
        connection.setExceptionListener(failure -> {});
        connection.start();
        return connection;
    }

    private static void send(Connection connection, int mode, long number) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            producer.setDeliveryMode(mode);
            producer.send(Arrival.write(session, new MessageKey(1, number), 0, 0));
        }
    }

    private static void sendUnchecked(Connection connection, long number) {
        try {
            send(connection, DeliveryMode.PERSISTENT, number);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The broker ends connections with sessions when it opens its store again.
    private static void sendUntilTaken(BrokerProcess broker, long number)
            throws JMSException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            try (Connection connection = connect(broker)) {
                send(connection, DeliveryMode.PERSISTENT, number);
                return;
            } catch (ResourceAllocationException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    private static List<Long> browse(Connection connection) throws JMSException {
        List<Long> found = new ArrayList<>();
        try (Session session = connection.createSession()) {
            Enumeration<?> all = session.createBrowser(session.createQueue("q")).getEnumeration();
            while (all.hasMoreElements()) {
                found.add(Arrival.of((Message) all.nextElement()).key().number());
            }
        }
        return found;
    }

    private static List<Long> receive(Connection connection, int count) throws JMSException {
        return arrivals(connection, count).stream().map(one -> one.key().number()).toList();
    }

    private static List<Arrival> arrivals(Connection connection, int count) throws JMSException {
        List<Arrival> all = new ArrayList<>();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            for (int i = 0; i < count; i++) {
                Message message = consumer.receive(DEADLINE_MILLIS);
                assertThat(message).as("message %s", i).isNotNull();
                all.add(Arrival.of(message));
            }
        }
        return all;
    }
}
