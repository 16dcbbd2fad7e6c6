package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.store.RecordingCompletion.append;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Durability;
import winnow.store.LogException;

/// A power failure while the first group of a new write-ahead log is written: what was not synced
/// of the log before may be lost, too.
class InterruptedLogTest {
    private static final RocksSettings SETTINGS =
            new RocksSettings(1 << 20, 8 << 20, 1 << 20, 4096, 1 << 20, 2);

    @TempDir private static Path original;

    /// As before the group, and behind it.
    private static byte[] endBefore = {};

    private static byte[] endAfter = {};

    /// Of the log before: behind each of its last groups.
    private static long[] sizes = {};

    private static int groups;

    @TempDir private Path temporary;

    private Path older;
    private Path newer;

    @BeforeAll
    static void write() throws IOException {
        Path store = original.resolve("store");
        try (RocksShardLog log = RocksShardLog.open(store, Runnable::run, SETTINGS)) {
            Path newest = logs(store).getLast();
            long before = 0;
            long last = 0;
            boolean begun = false;
            while (!begun || !Files.exists(newest)) {
                newest = logs(store).getLast();
                before = last;
                last = Files.size(newest);
                endBefore = Files.readAllBytes(store.resolve("end"));
                append(log, NumberedBatches.batch(++groups), Durability.WRITTEN).await();
                begun = !logs(store).getLast().equals(newest);
            }
            sizes = new long[] {before, last};
            endAfter = Files.readAllBytes(store.resolve("end"));
            copy(store, original.resolve("killed"));
        }
    }

    private static List<Path> logs(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            return files.filter(path -> path.toString().endsWith(".log")).sorted().toList();
        }
    }

    private static void copy(Path store, Path copy) throws IOException {
        Files.createDirectories(copy.resolve("rocksdb"));
        Files.copy(store.resolve("format"), copy.resolve("format"));
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve("rocksdb").resolve(file.getFileName()));
            }
        }
    }

    private Path store() {
        return temporary.resolve("store");
    }

    @BeforeEach
    void copy() throws IOException {
        copy(original.resolve("killed"), store());
        Files.write(store().resolve("end"), endBefore);
        List<Path> logs = logs(store());
        newer = logs.getLast();
        older = logs.get(logs.size() - 2);
        assertThat(older).hasSize(sizes[1]);
    }

    private long open() {
        try (RocksShardLog log = RocksShardLog.open(store(), Runnable::run, SETTINGS)) {
            return NumberedBatches.verify(log);
        }
    }

    private void truncate(Path file, long size) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(size);
        }
    }

    @Test
    void shouldKeepTheGroupIfItIsThere() {
        assertThat(open()).isEqualTo(groups);
    }

    @Test
    void shouldLoseTheGroupWithATornOneBeforeIt() throws IOException {
        truncate(older, sizes[1] - 1);

        assertThat(open()).isEqualTo(groups - 2);
    }

    @Test
    void shouldLoseTheGroupWithTheOneBeforeIt() throws IOException {
        truncate(older, sizes[0]);

        assertThat(open()).isEqualTo(groups - 2);
    }

    @Test
    void shouldLoseNothingMoreIfTheNewLogIsTorn() throws IOException {
        truncate(newer, Files.size(newer) - 1);

        assertThat(open()).isEqualTo(groups - 1);
    }

    @Test
    void shouldLoseTheOneBeforeItIfTheNewLogHasNoGroup() throws IOException {
        truncate(newer, Files.size(newer) - 1);
        truncate(older, sizes[0]);

        assertThat(open()).isEqualTo(groups - 2);
    }

    @Test
    void shouldRefuseDamageBeforeAGroupThatIsKnownToBeSynced() throws IOException {
        Files.write(store().resolve("end"), endAfter);
        truncate(older, sizes[1] - 1);

        assertThatThrownBy(this::open)
                .isInstanceOf(LogException.class)
                .hasMessageContainingAll(older.toString(), "damaged");
        assertThat(newer).exists();
    }

    @Test
    void shouldRefuseDamageIfItIsNotKnownWhatWasSynced() throws IOException {
        Files.delete(store().resolve("end"));
        truncate(older, sizes[1] - 1);

        assertThatThrownBy(this::open).isInstanceOf(LogException.class);
        assertThat(newer).exists();
    }

    @Test
    void shouldRefuseDamageBeforeALogWithoutGroupsThatIsKnown() throws IOException {
        leaveNoGroup(newer);
        try (LogEnd end = LogEnd.open(store(), System::nanoTime)) {
            end.onEnd();
        }
        truncate(older, sizes[1] - 1);

        assertThatThrownBy(this::open)
                .isInstanceOf(LogException.class)
                .hasMessageContainingAll(older.toString(), "damaged");
        assertThat(newer).exists();
    }

    @Test
    void shouldRefuseDamageBeforeALogWithoutGroupsIfNothingIsKnown() throws IOException {
        leaveNoGroup(newer);
        Files.delete(store().resolve("end"));
        truncate(older, sizes[1] - 1);

        assertThatThrownBy(this::open).isInstanceOf(LogException.class);
        assertThat(newer).exists();
    }

    private void leaveNoGroup(Path file) throws IOException {
        truncate(file, Files.size(file) - 1);
        truncate(file, RecordFile.read(file, RecordFile.Content.NEWEST_GROUPS).wholeBytes());
    }
}
