package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;

/// Directories that a broker must not use, or not in silence.
///
/// `-Dwinnow.flips=N` flips N bits, each in a copy of its own, and `-Dwinnow.seed=N` repeats a run.
class DamageTest {
    private static final int FLIPS = Integer.getInteger("winnow.flips", 4);
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());
    private static final int MESSAGES = 3000;
    private static final long WAIT_MILLIS = 500;
    private static final int MAX_WAITS = 60;

    /// What the log says of messages that are lost.
    private static final Pattern TOLD =
            Pattern.compile(" (WARN|ERROR) .*(Cut off|put aside|takes nothing any more)");

    private static final List<String> SMALL =
            List.of("storage.window=1MiB", "storage.write-buffer=1MiB");
    private static final List<String> HEAP = List.of("-Xmx64m");

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldRefuseADirectoryThatAnotherBrokerHas() throws Exception {
        // given
        Path data = temporary.resolve("data");
        try (BrokerProcess first = BrokerProcess.start(data, HEAP, List.of());
                BrokerProcess second = BrokerProcess.launch(data, HEAP, List.of())) {
            // when, then
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.endOfLog())
                    .contains(
                            "winnow broker: the store "
                                    + data.resolve("store")
                                    + " is in use by process "
                                    + first.pid());
            assertThat(first.stop()).isZero();
        }
    }

    @Test
    void shouldNotLoseMessagesInSilenceWhenBitsFlip() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        Random random = new Random(SEED);
        Path original = temporary.resolve("original");
        fill(original);

        for (int i = 0; i < FLIPS; i++) {
            // when
            Path copy = temporary.resolve("copy-" + i);
            copy(original, copy);
            String flipped = flip(copy.resolve("store").resolve("rocksdb"), random);

            // then
            try (BrokerProcess broker = BrokerProcess.launch(copy, HEAP, SMALL)) {
                if (broker.isReady()) {
                    checkMessages(broker, flipped);
                } else {
                    assertThat(broker.exitCode()).as(flipped).isEqualTo(2);
                    assertThat(broker.endOfLog())
                            .as(flipped)
                            .containsPattern("winnow broker: .*" + copy)
                            .doesNotContain("\tat ");
                    System.out.println(flipped + ": refused");
                }
            }
        }
    }

    /// Leaves a store with messages in data files and in the write-ahead log.
    private static void fill(Path data) throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(data, HEAP, SMALL);
                Connection connection =
                        new WinnowConnectionFactory(broker.url()).createConnection()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            for (int i = 1; i <= MESSAGES; i++) {
                producer.send(Arrival.write(session, new MessageKey(1, i), 0, 0));
                if (i % 10 == 0) {
                    session.commit();
                }
            }
            broker.kill();
        }
    }

    /// Copies files and directories, and leaves out the socket that a killed broker leaves behind.
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.toList()) {
                if (Files.isRegularFile(path) || Files.isDirectory(path)) {
                    Files.copy(path, to.resolve(from.relativize(path).toString()));
                }
            }
        }
    }

    /// Flips one bit of a file of the store.
    private static String flip(Path rocksdb, Random random) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(rocksdb)) {
            files = all.filter(DamageTest::isData).sorted().toList();
        }
        Path file = files.get(random.nextInt(files.size()));
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long position = random.nextLong(bytes.length());
            bytes.seek(position);
            int old = bytes.read();
            bytes.seek(position);
            bytes.write(old ^ (1 << random.nextInt(8)));
            return file.getFileName() + " of " + bytes.length() + " bytes at " + position;
        }
    }

    private static boolean isData(Path file) {
        String name = file.getFileName().toString();
        boolean data = name.endsWith(".sst") || name.endsWith(".log");
        return (data || name.startsWith("MANIFEST")) && file.toFile().length() > 0;
    }

    /// All messages are there, or the log tells of what is not.
    private static void checkMessages(BrokerProcess broker, String flipped) throws Exception {
        Set<Long> received = new HashSet<>();
        boolean told = false;
        try (Connection connection = new WinnowConnectionFactory(broker.url()).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            for (int i = 0; i < MAX_WAITS && received.size() < MESSAGES && !told; i++) {
                receive(consumer, received, flipped);
                told = TOLD.matcher(broker.log()).find();
            }
        } catch (JMSException e) {
            // It ends connections when it opens a store again that it cannot read.
            told = TOLD.matcher(broker.log()).find();
        }
        System.out.println(flipped + ": started, " + received.size() + " of " + MESSAGES);
        assertThat(told || received.size() == MESSAGES)
                .as(() -> flipped + ": " + received.size() + " messages, and nothing is said")
                .isTrue();
    }

    private static void receive(MessageConsumer consumer, Set<Long> received, String flipped)
            throws JMSException {
        Message message = consumer.receive(WAIT_MILLIS);
        while (message != null) {
            Arrival arrival = Arrival.of(message);
            assertThat(arrival.whole()).as(flipped).isTrue();
            assertThat(received.add(arrival.key().number())).as(flipped).isTrue();
            message = consumer.receive(WAIT_MILLIS);
        }
    }
}
