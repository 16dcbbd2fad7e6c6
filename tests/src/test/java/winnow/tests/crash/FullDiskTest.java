package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
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

    @Test
    void shouldTakeMessagesAgainWhenThereIsRoom() throws Exception {
        // given
        Path ballast = disk.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL)) {
            long confirmed;
            try (Connection connection = connect(broker)) {
                confirmed = fill(connection);
                checkRefusals(connection);

                // when
                Files.delete(ballast);
                sendUntilTaken(broker, new MessageKey(1, confirmed + 2));
            }

            // then
            try (Connection connection = connect(broker)) {
                List<Arrival> found = drain(connection, Session.AUTO_ACKNOWLEDGE, confirmed + 1);
                Set<Long> expected = new HashSet<>(upTo(confirmed));
                expected.add(confirmed + 2);
                // It is not known whether the one was written that was refused.
                assertThat(numbers(found)).isSorted().containsAll(expected);
                assertThat(broker.stop()).isZero();
            }
        }
    }

    /// The broker ends connections with sessions when it opens its store again.
    private static void sendUntilTaken(BrokerProcess broker, MessageKey key)
            throws JMSException, InterruptedException {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("q"));
                producer.send(Arrival.write(session, key, 0, 0));
                return;
            } catch (ResourceAllocationException e) {
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
        throw new IllegalStateException("expected the broker to take messages when there is room");
    }

    @Test
    void shouldKeepWhatItConfirmedWhenItsDiskIsFull() throws Exception {
        // given
        Path ballast = disk.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        long confirmed;
        List<Arrival> drained;
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL)) {
            // when
            try (Connection connection = connect(broker)) {
                confirmed = fill(connection);
                checkRefusals(connection);
                drained = drain(connection, Session.CLIENT_ACKNOWLEDGE, confirmed);
            }
            System.out.printf("full disk: confirmed %d, drained %d%n", confirmed, drained.size());

            // then
            assertThat(numbers(drained)).isSorted().doesNotHaveDuplicates().isNotEmpty();
            assertThat(broker.isAlive()).isTrue();
            assertThat(broker.log()).contains("No space left on device");
            broker.stop();
        }
        checkAfterwards(ballast, confirmed, drained);
    }

    private void checkAfterwards(Path ballast, long confirmed, List<Arrival> drained)
            throws Exception {
        // Nothing that was confirmed was acknowledged for sure.
        Files.delete(ballast);
        try (BrokerProcess broker = BrokerProcess.start(disk, HEAP, SMALL);
                Connection connection = connect(broker)) {
            List<Arrival> found = drain(connection, Session.AUTO_ACKNOWLEDGE, confirmed);
            assertThat(numbers(found)).isSorted().doesNotHaveDuplicates();
            assertThat(Set.copyOf(numbers(found))).containsAll(upTo(confirmed));
            Set<Long> seen = Set.copyOf(numbers(drained));
            assertThat(found)
                    .filteredOn(arrival -> seen.contains(arrival.key().number()))
                    .filteredOn(arrival -> !arrival.redelivered())
                    .as("received before, and not marked")
                    .isEmpty();
            Session session = connection.createSession();
            session.createProducer(session.createQueue("q")).send(session.createMessage());
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

    /// Sends until a send is refused.
    ///
    /// @return how many were confirmed
    private static long fill(Connection connection) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        for (int i = 1; i <= MAX_MESSAGES; i++) {
            try {
                producer.send(Arrival.write(session, new MessageKey(1, i), 0, 0));
            } catch (JMSException e) {
                System.out.println("full disk: " + e);
                assertThat(e.getErrorCode()).isEqualTo("STORE_UNAVAILABLE");
                return i - 1L;
            }
        }
        throw new IllegalStateException("expected a full disk after all that was sent");
    }

    private static void checkRefusals(Connection connection) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("No space left on device");
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
                Arrival arrival = Arrival.of(message);
                assertThat(arrival.whole()).isTrue();
                all.add(arrival);
            }
        }
    }
}
