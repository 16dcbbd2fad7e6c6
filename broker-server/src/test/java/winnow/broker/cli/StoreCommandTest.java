package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.shard.ExampleStore;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

class StoreCommandTest {
    private static final int MESSAGES = 1200;

    @TempDir private static Path examples = Path.of("");

    @TempDir private Path directory = Path.of("");

    private final CommandRun ran = new CommandRun();
    private Path data = Path.of("");
    private Path store = Path.of("");

    @BeforeEach
    void makeStore() throws IOException {
        Path sound = examples.resolve("sound");
        if (!Files.exists(sound)) {
            ExampleStore.write(sound, MESSAGES);
        }
        data = directory.resolve("data");
        store = data.resolve("store");
        copy(sound, store);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        }
    }

    private int run(String... arguments) {
        return ran.execute(StoreCommand.commandLine(), arguments);
    }

    private JsonNode runForJson(String command, Path where) throws JsonProcessingException {
        run(command, "--data", where.toString(), "--output", "json");
        return SelectorCommand.JSON.readTree(ran.out());
    }

    private static Path largestDataFile(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            return files.filter(path -> path.toString().endsWith(".sst"))
                    .max(Comparator.comparingLong(path -> path.toFile().length()))
                    .orElseThrow();
        }
    }

    private static void flipBitInTheMiddle(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 4;
        Files.write(file, bytes);
    }

    @Test
    void shouldFindASoundStoreSound() {
        int code = run("verify", "--data", data.toString());

        assertThat(code).as(ran.err()).isZero();
        assertThat(ran.out()).endsWith("sound" + System.lineSeparator());
        assertThat(ran.out()).containsPattern("headers +2,400 ");
        assertThat(ran.out()).containsPattern("bodies +1,200 ");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void shouldCountWhatEachReaderWaitsFor() throws IOException {
        ExampleStore.acknowledgeUpTo(store, 99);

        JsonNode content = runForJson("stats", data);

        assertThat(content.at("/destinations/0/name").asText()).isEqualTo("orders");
        assertThat(content.at("/destinations/0/kind").asText()).isEqualTo("queue");
        assertThat(content.at("/destinations/0/messages").asInt()).isEqualTo(MESSAGES - 100);
        assertThat(content.at("/destinations/1/messages").asInt()).isEqualTo(MESSAGES);
        assertThat(content.at("/destinations/1/bytes").asLong())
                .isGreaterThan(MESSAGES / 2L * ExampleStore.LARGE_BODY);
        assertThat(content.at("/subscriptions/0/name").asText()).isEqualTo("desk.early");
        assertThat(content.at("/subscriptions/0/messages").asInt()).isEqualTo(MESSAGES);
        assertThat(content.at("/subscriptions/1/name").asText()).isEqualTo("desk.late");
        assertThat(content.at("/subscriptions/1/messages").asInt()).isEqualTo(MESSAGES / 2);
        assertThat(content.at("/tables/headers/fileBytes").asLong()).isPositive();
        // Bodies were not read.
        assertThat(content.has("sound")).isFalse();
    }

    @Test
    void shouldPrintStatisticsForPeople() {
        int code = run("stats", "--data", data.toString());

        assertThat(code).as(ran.err()).isZero();
        assertThat(ran.out())
                .containsPattern("1,200 +[0-9,]+  queue orders")
                .containsPattern("600 +[0-9,]+  desk.late of topic prices")
                .contains("prepared transactions: 0")
                .doesNotContain("damaged");
    }

    @Test
    void shouldNameDamagedMessages() throws IOException {
        ExampleStore.loseBody(store, 2);
        ExampleStore.changeByte(store, 5);

        int code = run("verify", "--data", data.toString());

        assertThat(code).isEqualTo(1);
        assertThat(ran.out().lines().filter(line -> line.startsWith("damaged: ")))
                .containsExactlyInAnyOrder(
                        "damaged: queue 'orders': message 2 of destination 1:"
                                + " expected a body of 1000 bytes, found 0",
                        "damaged: queue 'orders': message 5 of destination 1:"
                                + " its checksum does not fit its bytes");
        assertThat(runForJson("verify", data).path("damaged").asInt()).isEqualTo(2);
    }

    @Test
    void shouldNotMindDamageThatNobodyNeeds() {
        ExampleStore.loseBody(store, 2);
        ExampleStore.acknowledgeUpTo(store, 2);

        assertThat(run("verify", "--data", data.toString())).as(ran.out()).isZero();
    }

    @Test
    void shouldTellWhatHasBeenPutAside() {
        ExampleStore.putAside(store, 7);

        int code = run("verify", "--data", data.toString());

        assertThat(code).isZero();
        assertThat(ran.out()).contains("put aside: queue 'orders': its checksum is wrong");
    }

    @Test
    void shouldFindAFlippedBitInADataFile() throws IOException {
        Path file = largestDataFile(store);
        flipBitInTheMiddle(file);

        int code = run("verify", "--data", data.toString());

        assertThat(code).isEqualTo(1);
        assertThat(ran.out()).containsPattern("damaged: .*" + file.getFileName());
    }

    @Test
    void shouldSayThatAStoreCannotBeOpened() throws IOException {
        Files.delete(largestDataFile(store));

        for (String command : List.of("verify", "stats")) {
            int code = run(command, "--data", data.toString());

            assertThat(code).isEqualTo(1);
            assertThat(ran.err())
                    .startsWith("winnow store " + command + ": opening the store " + store)
                    .contains("Restore the store from a copy");
        }
    }

    @Test
    void shouldRefuseAStoreInUse() {
        Path copy = directory.resolve("copy");
        try (RocksShardLog log =
                RocksShardLog.open(store, Runnable::run, RocksSettings.within(1))) {
            assertThat(log.epoch()).isPositive();
            for (List<String> command :
                    List.of(
                            List.of("verify"),
                            List.of("stats"),
                            List.of("backup", copy.toString()))) {
                String[] arguments =
                        Stream.concat(command.stream(), Stream.of("--data", data.toString()))
                                .toArray(String[]::new);

                int code = run(arguments);

                assertThat(code).isEqualTo(1);
                assertThat(ran.err())
                        .contains("in use by process " + ProcessHandle.current().pid())
                        .contains("Stop that first");
            }
        }
        assertThat(copy).doesNotExist();
    }

    @Test
    void shouldRefuseADirectoryWithoutAStore() {
        int code = run("verify", "--data", directory.toString());

        assertThat(code).isEqualTo(1);
        assertThat(ran.err().strip())
                .isEqualTo(
                        "winnow store verify: "
                                + directory.resolve("store")
                                + ": expected a store, found no such directory");
        assertThat(directory.resolve("store")).doesNotExist();
    }

    @Test
    void shouldRestoreABackup() throws IOException {
        Path backup = directory.resolve("backup");
        Path other = directory.resolve("other");

        int saved = run("backup", backup.toString(), "--data", data.toString());
        String told = ran.out();
        int restored = run("restore", backup.toString(), "--data", other.toString());

        assertThat(saved).as(told).isZero();
        assertThat(told).contains("copied " + store + " to " + backup.resolve("store"));
        assertThat(restored).as(ran.err()).isZero();
        assertThat(ran.out()).contains("restored " + other.resolve("store"));
        assertThat(other.resolve("store.unfinished")).doesNotExist();
        JsonNode before = runForJson("verify", data);
        JsonNode after = runForJson("verify", other);
        assertThat(after.path("destinations")).isEqualTo(before.path("destinations"));
        assertThat(after.path("subscriptions")).isEqualTo(before.path("subscriptions"));
        assertThat(after.path("sound").asBoolean()).isTrue();
    }

    @Test
    void shouldLeaveABackupAloneWhenTheStoreChanges() throws IOException {
        Path backup = directory.resolve("backup");
        run("backup", backup.toString(), "--data", data.toString());

        flipBitInTheMiddle(largestDataFile(store));

        assertThat(run("verify", "--data", data.toString())).isEqualTo(1);
        assertThat(run("verify", "--data", backup.toString())).isZero();
    }

    @Test
    void shouldNotOverwriteAStore() {
        Path backup = directory.resolve("backup");
        run("backup", backup.toString(), "--data", data.toString());

        int restored = run("restore", backup.toString(), "--data", data.toString());

        assertThat(restored).isEqualTo(1);
        assertThat(ran.err()).contains(store + ": expected no store there, found one");
        assertThat(run("backup", backup.toString(), "--data", data.toString())).isEqualTo(1);
        assertThat(ran.err()).contains("expected nothing there");
    }

    @Test
    void shouldNotRestoreADamagedBackup() throws IOException {
        Path backup = directory.resolve("backup");
        Path other = directory.resolve("other");
        run("backup", backup.toString(), "--data", data.toString());
        flipBitInTheMiddle(largestDataFile(backup.resolve("store")));

        int restored = run("restore", backup.toString(), "--data", other.toString());

        assertThat(restored).isEqualTo(1);
        assertThat(ran.out()).contains("not restored");
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void shouldRestoreAfterARestoreThatWasInterrupted() throws IOException {
        Path backup = directory.resolve("backup");
        Path other = directory.resolve("other");
        run("backup", backup.toString(), "--data", data.toString());
        Files.createDirectories(other.resolve("store.unfinished/rocksdb"));
        Files.writeString(other.resolve("store.unfinished/rocksdb/CURRENT"), "half");

        assertThat(run("restore", backup.toString(), "--data", other.toString())).isZero();
    }

    @Test
    void shouldRefuseWrongUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("winnow store: expected a command: verify, stats, backup or restore");
        assertThat(run("verify")).isEqualTo(2);
        assertThat(ran.err()).contains("--data");
        assertThat(run("verfy")).isEqualTo(2);
        assertThat(ran.err()).contains("Did you mean 'verify'");
        assertThat(run("backup", "--data", data.toString())).isEqualTo(2);
        assertThat(ran.err()).contains("TARGET");
    }
}
