package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import winnow.client.WinnowConnectionFactory;

/// A broker whose disk is full. `-Dwinnow.small-disk=DIR` is where a small file system is mounted;
/// `tests/store-faults` makes one. The broker's log is beside it.
@EnabledIfSystemProperty(named = "winnow.small-disk", matches = ".+")
class FullDiskTest {
    private static final int BALLAST_BYTES = 24 << 20;
    private static final int MAX_MESSAGES = 10_000_000;
    private static final int BATCH = 100;
    private static final int MAX_ATTEMPTS = 300;
    private static final long RETRY_MILLIS = 200;
    private static final long WAIT_MILLIS = 10_000;
    private static final List<String> HEAP = List.of("-Xmx128m");
    private static final List<String> SMALL =
            List.of("storage.write-buffer=4MiB", "storage.write-ahead-log=8MiB");

    private final Path disk = Path.of(System.getProperty("winnow.small-disk", ""));

    @AfterEach
    void clear() throws IOException {
        Files.deleteIfExists(disk.resolveSibling(disk.getFileName() + ".log"));
        try (Stream<Path> tree = Files.walk(disk)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(disk)) {
                    Files.delete(path);
                }
            }
        }
    }

    /// Producers fill the disk, consumers empty it, and producers go on, several times, with the
    /// same connections.
    @Test
    void shouldTakeMessagesAgainWhenConsumersHaveMadeRoom() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL);
                Connection sending = connect(broker);
                Connection receiving = connect(broker)) {
            Session session = sending.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            long sent = 0;
            for (int round = 0; round < 3; round++) {
                // when
                sendUntilTaken(session, producer, sent + 1);
                long first = sent + 1;
                sent = fill(session, producer, first + 1);
                if (round == 0) {
                    // Later ones may make room by what was consumed before.
                    broker.awaitPage("/health/ready", "ready, but .*storage.disk-reserve");
                    broker.awaitPage("/metrics", "^winnow_storage_disk_low 1.0$");
                    checkRefusals(sending);
                }

                // then
                List<Arrival> found =
                        drain(
                                receiving,
                                round == 1 ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE,
                                sent - first + 1);
                System.out.printf("full disk: round %d, %d messages%n", round, found.size());
                assertThat(numbers(found))
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(first, sent).boxed().toList());
                broker.awaitPage("/health/ready", "^ready$");
            }
            assertThat(broker.log()).doesNotContain("The store takes nothing");
            assertThat(broker.stop()).isZero();
        }
    }

    @Test
    void shouldTakeMessagesAgainWhenOtherFilesAreRemoved() throws Exception {
        // given
        Path ballast = disk.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL);
                Connection connection = connect(broker)) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            long confirmed = fill(session, producer, 1);

            // when
            Files.delete(ballast);
            sendUntilTaken(session, producer, confirmed + 1);

            // then
            List<Arrival> found = drain(connection, Session.AUTO_ACKNOWLEDGE, confirmed + 1);
            assertThat(numbers(found)).containsExactlyElementsOf(upTo(confirmed + 1));
            assertThat(broker.stop()).isZero();
        }
    }

    /// Sends a message that is refused at first.
    private static void sendUntilTaken(Session transacted, MessageProducer producer, long number)
            throws JMSException, InterruptedException {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            try {
                producer.send(Arrival.write(transacted, new MessageKey(1, number), 0, 0));
                transacted.commit();
                return;
            } catch (TransactionRolledBackException e) {
                transacted.rollback();
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
        throw new IllegalStateException("expected the broker to take messages when there is room");
    }

    /// Other files take the reserve, too, until not a byte is free.
    @Test
    void shouldKeepWhatItConfirmedWhenOthersTakeTheReserve() throws Exception {
        // given
        Path ballast = disk.resolve("ballast");
        long confirmed;
        List<Arrival> drained;
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL)) {
            // when
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                confirmed = fill(session, session.createProducer(session.createQueue("q")), 1);
                writeUntilFull(ballast);
                checkRefusals(connection);
                drained = drain(connection, Session.CLIENT_ACKNOWLEDGE, confirmed);
            }
            System.out.printf("full disk: confirmed %d, drained %d%n", confirmed, drained.size());

            // then
            assertThat(numbers(drained)).isSorted().doesNotHaveDuplicates().isNotEmpty();
            assertThat(broker.isAlive()).isTrue();
            broker.stop();
        }
        Files.delete(ballast);
        checkAfterwards(confirmed, drained);
    }

    private static void writeUntilFull(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] some = new byte[4096];
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    /// Nothing that was confirmed was acknowledged.
    private void checkAfterwards(long confirmed, List<Arrival> drained) throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL);
                Connection connection = connect(broker)) {
            List<Arrival> found = drain(connection, Session.AUTO_ACKNOWLEDGE, confirmed);
            assertThat(numbers(found)).containsExactlyElementsOf(upTo(confirmed));
            Set<Long> seen = Set.copyOf(numbers(drained));
            assertThat(found)
                    .filteredOn(arrival -> seen.contains(arrival.key().number()))
                    .filteredOn(arrival -> !arrival.redelivered())
                    .as("received before, and not marked")
                    .isEmpty();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            sendUntilTaken(session, producer, confirmed + 1);
            assertThat(broker.stop()).isZero();
        }
    }

    private static List<Long> numbers(List<Arrival> arrivals) {
        return arrivals.stream().map(arrival -> arrival.key().number()).toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static Connection connect(BrokerProcess broker) throws JMSException {
        Connection connection = new WinnowConnectionFactory(broker.url()).createConnection();
        connection.start();
        return connection;
    }

    /// Sends in transactions until one is refused.
    ///
    /// @return the last that was confirmed
    private static long fill(Session transacted, MessageProducer producer, long first)
            throws JMSException {
        for (long i = first; i <= MAX_MESSAGES; i += BATCH) {
            try {
                for (long number = i; number < i + BATCH; number++) {
                    producer.send(Arrival.write(transacted, new MessageKey(1, number), 0, 0));
                }
                transacted.commit();
            } catch (TransactionRolledBackException e) {
                assertThat(e).hasMessageContaining("storage.disk-reserve");
                transacted.rollback();
                return i - 1;
            }
        }
        throw new IllegalStateException("expected a full disk after all that was sent");
    }

    private static void checkRefusals(Connection connection) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("storage.disk-reserve");
        MessageProducer others = session.createProducer(null);
        others.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        Queue replies = session.createTemporaryQueue();
        others.send(replies, session.createMessage());
        assertThat(session.createConsumer(replies).receive(WAIT_MILLIS)).isNotNull();
        Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
        assertThatThrownBy(
                        () -> {
                            MessageProducer committing =
                                    transacted.createProducer(transacted.createQueue("q"));
                            committing.send(transacted.createMessage());
                            transacted.commit();
                        })
                .isInstanceOf(JMSException.class);
    }

    /// Receives all that comes.
    ///
    /// @param expected so many are worth a longer wait
    private static List<Arrival> drain(Connection connection, int mode, long expected)
            throws JMSException {
        List<Arrival> all = new ArrayList<>();
        try (Session session = connection.createSession(mode)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            while (true) {
                Message message = consumer.receive(all.size() < expected ? WAIT_MILLIS : 1);
                if (message == null) {
                    return all;
                }
                if (mode == Session.SESSION_TRANSACTED) {
                    session.commit();
                }
                Arrival arrival = Arrival.of(message);
                assertThat(arrival.whole()).isTrue();
                all.add(arrival);
            }
        }
    }
}
