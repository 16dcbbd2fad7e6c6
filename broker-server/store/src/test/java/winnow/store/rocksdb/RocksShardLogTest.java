package winnow.store.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.store.RecordingCompletion.append;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Batch;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.Table;

class RocksShardLogTest {
    private static final int COPIES = 20;

    @TempDir private Path temporary;

    private Path directory() {
        return temporary.resolve("store");
    }

    private RocksShardLog open() {
        return open(directory());
    }

    private static RocksShardLog open(Path directory) {
        return RocksShardLog.open(directory, Runnable::run, RocksSettings.defaults());
    }

    private static void refused(ThrowingCallable opening, Reason reason, String... words) {
        assertThatThrownBy(opening)
                .isInstanceOfSatisfying(
                        LogException.class,
                        e -> {
                            assertThat(e.getMessage()).contains(words);
                            assertThat(e.reason()).isEqualTo(reason);
                        });
    }

    private static Batch put(Table table, String key, String value) {
        Batch batch = new Batch();
        batch.put(table, key.getBytes(US_ASCII), value.getBytes(US_ASCII));
        return batch;
    }

    @Test
    void shouldKeepRowsAndCountEpochs() {
        // given
        for (int round = 0; round < 5; round++) {
            // when
            try (RocksShardLog log = open()) {
                // then
                assertThat(log.epoch()).isEqualTo(round + 1);
                assertThat(NumberedBatches.verify(log)).isEqualTo(round * 3L);

                for (int i = 1; i <= 3; i++) {
                    append(log, NumberedBatches.batch(round * 3L + i), Durability.WRITTEN);
                }
            }
        }
    }

    @Test
    void shouldKeepDirectoryAndFilesForTheirOwnerOnly() throws IOException {
        // given a store that others may read
        open().close();
        for (Path path : everything(directory())) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path copy = temporary.resolve("copy");
        Path offline = temporary.resolve("offline");

        // when
        try (RocksShardLog log = open()) {
            log.checkpoint(copy);
        }
        open().close();
        StoreCopy.copy(directory(), offline, (_, _) -> {});

        // then
        for (Path store : List.of(directory(), copy, offline)) {
            assertThat(everything(store)).hasSizeGreaterThan(4);
            for (Path path : List.of(store, store.resolve("rocksdb"), store.resolve("format"))) {
                assertThat(permissions(path)).as("%s", path).endsWith("------");
            }
        }
        for (Path store : List.of(copy, offline)) {
            assertThat(everything(store))
                    .allSatisfy(path -> assertThat(permissions(path)).endsWith("------"));
        }
    }

    @Test
    void shouldMakeWhatItMakesForTheOwnerOnly() throws IOException {
        // given an empty directory that others may read
        Files.createDirectory(directory());
        Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwxr-xr-x"));

        // when
        open().close();

        // then
        assertThat(List.of("", "lock", "format", "rocksdb"))
                .allSatisfy(name ->
                        assertThat(permissions(directory().resolve(name))).endsWith("------"));
    }

    private static List<Path> everything(Path store) throws IOException {
        try (Stream<Path> tree = Files.walk(store)) {
            return tree.toList();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldScanAsOfOneMoment() {
        // given
        try (RocksShardLog log = open()) {
            append(log, put(Table.HEADERS, "a", "1"));
            append(log, put(Table.HEADERS, "b", "1"));
            List<String> values = new ArrayList<>();

            // when
            log.scan(
                    Table.HEADERS,
                    new byte[0],
                    new byte[] {'z'},
                    (key, value) -> {
                        if (values.isEmpty()) {
                            append(log, put(Table.HEADERS, "b", "2"));
                            append(log, put(Table.HEADERS, "c", "2"));
                        }
                        return values.add(new String(value, US_ASCII));
                    });

            // then
            assertThat(values).containsExactly("1", "1");
        }
    }

    @Test
    void shouldRefuseDirectoryInUse() throws IOException {
        // given
        RocksShardLog log = open();

        // when / then
        refused(
                this::open,
                Reason.IO,
                directory().toString(),
                "in use by process " + ProcessHandle.current().pid());
        Process other = AppendingProcess.start(directory(), 1);
        assertThat(other.onExit().join().exitValue()).isEqualTo(1);
        assertThat(AppendingProcess.errors(directory()))
                .content()
                .contains("in use by process " + ProcessHandle.current().pid());
        append(log, put(Table.META, "a", "1"));
        log.close();
        open().close();
    }

    @Test
    void shouldGiveTheDirectoryBackIfItCannotBeOpened() throws IOException {
        // given
        open().close();
        Path strange = directory().resolve("rocksdb").resolve("9".repeat(20) + ".log");
        Files.createFile(strange);
        assertThatThrownBy(this::open).isInstanceOf(NumberFormatException.class);

        // when
        Files.delete(strange);

        // then
        open().close();
    }

    @Test
    void shouldRefuseDirectoryThatAnotherProcessUses() throws IOException {
        // given
        Process other = AppendingProcess.start(directory(), 1);
        try (BufferedReader lines = other.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("opened 0");

            // when / then
            refused(this::open, Reason.IO, "in use by process " + other.pid());
        } finally {
            other.destroyForcibly().onExit().join();
        }
    }

    @Test
    void shouldRefuseNewerFormat() throws IOException {
        // given
        open().close();
        Path format = directory().resolve("format");
        assertThat(format).hasContent("winnow-store 1\n");
        Files.writeString(format, "winnow-store 2\n");

        // when / then
        refused(
                this::open,
                Reason.CORRUPT,
                format.toString(),
                "expected 'winnow-store 1'",
                "found 'winnow-store 2'",
                "run that version");
    }

    @Test
    void shouldRefuseDirectoryWithOtherFiles() throws IOException {
        // given
        Files.createDirectories(directory());
        Files.writeString(directory().resolve("holiday.jpg"), "");

        // when / then
        refused(this::open, Reason.CORRUPT, "found no file 'format' but [holiday.jpg]");
        assertThat(directory().resolve("holiday.jpg")).exists();
        assertThat(directory().resolve("format")).doesNotExist();
    }

    @Test
    void shouldMakeALogWhereItsFirstFileWasNotCompleted() throws IOException {
        // given
        Files.createDirectories(directory());
        Files.writeString(directory().resolve("format.new"), "winnow-");

        // when
        open().close();

        // then
        assertThat(directory().resolve("format")).hasContent("winnow-store 1\n");
        assertThat(directory().resolve("format.new")).doesNotExist();
    }

    @Test
    void shouldFinishTheMakingOfALogThatWasInterrupted() throws IOException {
        // given
        open().close();
        Files.writeString(directory().resolve("format"), "winnow-store 1 incomplete\n");
        Files.writeString(directory().resolve("rocksdb/CURRENT"), "MANI");

        // when
        try (RocksShardLog log = open()) {
            append(log, put(Table.META, "a", "1"));

            // then
            assertThat(log.epoch()).isEqualTo(1);
        }
        assertThat(directory().resolve("format")).hasContent("winnow-store 1\n");
        open().close();
    }

    @Test
    void shouldRefuseALogWhoseFilesAreMissing() throws IOException {
        // given
        try (RocksShardLog log = open()) {
            append(log, put(Table.META, "a", "1"));
        }
        Files.delete(directory().resolve("rocksdb/CURRENT"));

        // when / then
        refused(this::open, Reason.CORRUPT, directory().toString(), "CURRENT");
        assertThat(directory().resolve("rocksdb/CURRENT")).doesNotExist();
    }

    @Test
    void shouldRefuseReadingWhenClosed() {
        // given
        RocksShardLog log = open();
        log.close();
        log.close();

        // when / then
        refused(() -> log.get(Table.META, new byte[1]), Reason.CLOSED, "closed");
        refused(
                () -> log.scan(Table.META, new byte[1], new byte[2], (key, value) -> true),
                Reason.CLOSED,
                "closed");
        refused(() -> log.checkpoint(temporary.resolve("copy")), Reason.CLOSED, "closed");
        assertThat(temporary.resolve("copy")).doesNotExist();
    }

    @Test
    void shouldCopyWhatIsThereWhileOthersGoOn() {
        // given
        Path copy = temporary.resolve("copy");
        try (RocksShardLog log = open()) {
            for (int i = 1; i <= 100; i++) {
                append(log, NumberedBatches.batch(i), Durability.WRITTEN).await();
            }

            // when
            log.checkpoint(copy);
            append(log, NumberedBatches.batch(101));

            // then
            refused(() -> log.checkpoint(copy), Reason.IO, copy.toString());
            assertThat(NumberedBatches.verify(log)).isEqualTo(101);
        }
        try (RocksShardLog log = open(copy)) {
            assertThat(NumberedBatches.verify(log)).isEqualTo(100);
            assertThat(log.epoch()).isEqualTo(2);
        }
    }

    @Test
    void shouldMakeCopiesThatCanBeOpenedWhileLargeGroupsAreWritten() throws Exception {
        // given groups that RocksDB writes in pieces
        AtomicBoolean going = new AtomicBoolean(true);
        try (RocksShardLog log = open()) {
            append(log, NumberedBatches.batch(1), Durability.WRITTEN).await();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(log, going));

            // when
            for (int i = 0; i < COPIES; i++) {
                log.checkpoint(copy(i));
            }
            going.set(false);
            writing.join();
        }

        // then
        for (int i = 0; i < COPIES; i++) {
            try (RocksShardLog copy = open(copy(i))) {
                assertThat(NumberedBatches.verify(copy)).isPositive();
            }
        }
    }

    private static void write(RocksShardLog log, AtomicBoolean going) {
        byte[] body = new byte[4 << 20];
        for (long number = 2; going.get(); number++) {
            Batch batch = NumberedBatches.batch(number);
            batch.put(Table.PARTS, new byte[] {1}, body);
            append(log, batch, Durability.WRITTEN).await();
        }
    }

    private Path copy(int number) {
        return temporary.resolve("copy " + number);
    }

    @Test
    void shouldGiveSpaceBack() throws Exception {
        // given
        RocksSettings settings = new RocksSettings(1 << 20, 1 << 20, 1 << 20, 32768, 1 << 20, 2);
        byte[] body = new byte[100_000];
        try (RocksShardLog log = RocksShardLog.open(directory(), Runnable::run, settings)) {
            for (int i = 0; i < 100; i++) {
                Batch batch = new Batch();
                batch.put(Table.BODIES, new byte[] {(byte) i}, body);
                append(log, batch);
            }
            Batch deletion = new Batch();
            deletion.deleteRange(Table.BODIES, new byte[] {0}, new byte[] {100});
            append(log, deletion);
            assertThat(dataBytes()).isGreaterThan(5_000_000);

            // when
            reclaimUntilBelow(3_000_000, log);

            // then
            assertThat(dataBytes()).isLessThan(3_000_000);
        }
    }

    /// Rows that stay are in the same files as those that go, which no other way gives back.
    @Test
    void shouldGiveBackTheSpaceOfSingleRows() throws Exception {
        // given
        RocksSettings settings = new RocksSettings(1 << 20, 1 << 20, 1 << 20, 32768, 1 << 20, 2);
        byte[] body = new byte[100_000];
        try (RocksShardLog log = RocksShardLog.open(directory(), Runnable::run, settings)) {
            log.merging(false);
            for (int i = 0; i < 100; i++) {
                Batch batch = new Batch();
                batch.put(Table.BODIES, new byte[] {(byte) i}, body);
                append(log, batch);
            }
            for (int i = 0; i < 100; i++) {
                Batch batch = new Batch();
                if (i % 10 != 0) {
                    batch.delete(Table.BODIES, new byte[] {(byte) i});
                }
                append(log, batch);
            }
            assertThat(dataBytes()).isGreaterThan(5_000_000);

            // when
            log.shrink();

            // then
            assertThat(dataBytes()).isBetween(1_000_000L, 1_500_000L);
            assertThat(log.get(Table.BODIES, new byte[] {10})).isEqualTo(body);
            assertThat(log.get(Table.BODIES, new byte[] {11})).isNull();
        }
    }

    /// Files that RocksDB is merging just then stay.
    private void reclaimUntilBelow(long bytes, RocksShardLog log)
            throws IOException, InterruptedException {
        for (int i = 0; i < 600 && dataBytes() >= bytes; i++) {
            log.reclaim(Table.BODIES, new byte[] {0}, new byte[] {100});
            Thread.sleep(50);
        }
    }

    private long dataBytes() throws IOException {
        try (Stream<Path> files = Files.list(directory().resolve("rocksdb"))) {
            long bytes = 0;
            for (Path file : files.filter(path -> path.toString().endsWith(".sst")).toList()) {
                // A file that goes away meanwhile has none.
                bytes += file.toFile().length();
            }
            return bytes;
        }
    }
}
