package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.store.RecordingCompletion.append;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.rocksdb.RecordFile.Content;

/// Damages the files of a log and opens it. `-Dwinnow.flips=N` flips N bits of each kind of file.
class DamagedFilesTest {
    private static final int FLIPS = Integer.getInteger("winnow.flips", 15);
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());

    /// Twice as many as fill the write buffer, after which there is a second write-ahead log.
    private static final int BATCHES = 4000;

    private static final RocksSettings SETTINGS =
            new RocksSettings(1 << 20, 8 << 20, 1 << 20, 4096, 1 << 20, 2);

    @TempDir private static Path original;
    private static Path sound;

    @TempDir private Path temporary;

    private final Random random = new Random(SEED);

    @BeforeAll
    static void writeLog() {
        System.out.println("-Dwinnow.seed=" + SEED);
        sound = original.resolve("store");
        try (RocksShardLog log = open(sound)) {
            for (int number = 1; number <= BATCHES; number++) {
                boolean sync = number % 4 == 0 || number > BATCHES - 100;
                append(
                                log,
                                NumberedBatches.batch(number),
                                sync ? Durability.SYNCED : Durability.WRITTEN)
                        .await();
                if (number == BATCHES / 4) {
                    log.checkpoint(original.resolve("copy")); // writes all buffers out
                }
            }
        }
    }

    private static RocksShardLog open(Path directory) {
        return RocksShardLog.open(directory, Runnable::run, SETTINGS);
    }

    private Path copy() throws IOException {
        return copyOf(sound);
    }

    private Path copyOf(Path sound) throws IOException {
        Path copy = Files.createTempDirectory(temporary, "copy").resolve("store");
        Files.createDirectories(copy.resolve("rocksdb"));
        Files.copy(sound.resolve("format"), copy.resolve("format"));
        try (Stream<Path> files = Files.list(sound.resolve("rocksdb"))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve("rocksdb").resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private static List<Path> files(Path directory, String pattern) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            List<Path> found =
                    files.filter(path -> path.getFileName().toString().matches(pattern))
                            .sorted()
                            .toList();
            assertThat(found).as(pattern).isNotEmpty();
            return found;
        }
    }

    private static Path newestWriteAheadLog(Path directory) throws IOException {
        return files(directory, "\\d+\\.log").getLast();
    }

    private static long verify(Path directory) {
        try (RocksShardLog log = open(directory)) {
            return NumberedBatches.verify(log);
        }
    }

    private static void flip(Path file, long at, int bit) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ 1 << bit);
        }
    }

    /// Flips bits in files of one kind, one after the other.
    ///
    /// @param least what must be there, if the log opens
    /// @return how often the damage was found
    private int flipBits(String pattern, int least) throws IOException {
        int refused = 0;
        for (int i = 0; i < FLIPS; i++) {
            Path copy = copy();
            List<Path> files = files(copy, pattern);
            Path file = files.get(random.nextInt(files.size()));
            long at = random.nextLong(Files.size(file));
            flip(file, at, random.nextInt(8));
            try {
                assertThat(verify(copy))
                        .as("%s, byte %s", file, at)
                        .isBetween((long) least, (long) BATCHES);
            } catch (LogException e) {
                refused++;
                assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.CORRUPT);
                assertThat(e).hasMessageContaining(copy.toString());
            } catch (AssertionError e) {
                throw new AssertionError(file + ", byte " + at, e);
            }
        }
        return refused;
    }

    @Test
    void shouldNoticeFlippedBitsOfWriteAheadLogs() throws IOException {
        // The last group alone cannot be told from one that was being written.
        assertThat(flipBits("\\d+\\.log", BATCHES - 1)).isPositive();
    }

    @Test
    void shouldNoticeFlippedBitsOfDataFiles() throws IOException {
        assertThat(flipBits("\\d+\\.sst", BATCHES)).isPositive();
    }

    @Test
    void shouldNoticeFlippedBitsOfTheManifest() throws IOException {
        assertThat(flipBits("MANIFEST-\\d+", BATCHES)).isPositive();
    }

    @Test
    void shouldRefuseAManifestThatRocksDbDoesNotEndToRead() throws IOException {
        // given
        Path copy = copy();
        Path manifest = files(copy, "MANIFEST-\\d+").getLast();
        byte[] bytes = Files.readAllBytes(manifest);
        int second = 7 + (bytes[4] & 0xFF) + ((bytes[5] & 0xFF) << 8);
        assertThat(bytes[second + 6]).isEqualTo((byte) 1);

        // when
        flip(manifest, second + 6, 2);

        // then
        assertThatThrownBy(() -> verify(copy))
                .isInstanceOf(LogException.class)
                .hasMessageContainingAll(manifest.toString(), "damaged at byte " + second);
    }

    @Test
    void shouldNoticeFlippedBitsOfTheNameOfTheManifest() throws IOException {
        assertThat(flipBits("CURRENT", BATCHES)).isPositive();
    }

    @Test
    void shouldCutOffATornEnd() throws IOException {
        // given
        Path copy = copy();
        byte[] torn = new byte[1 + random.nextInt(70_000)];
        random.nextBytes(torn);
        Files.write(newestWriteAheadLog(copy), torn, StandardOpenOption.APPEND);

        // when
        long cut = repair(copy);

        // then
        assertThat(cut).isEqualTo(torn.length);
        assertThat(repair(copy)).isZero();
        assertThat(verify(copy)).isEqualTo(BATCHES);
    }

    @Test
    void shouldCutOffZerosAtTheEnd() throws IOException {
        // given
        Path copy = copy();
        Files.write(newestWriteAheadLog(copy), new byte[100_000], StandardOpenOption.APPEND);

        // when / then
        assertThat(verify(copy)).isEqualTo(BATCHES);
    }

    @Test
    void shouldCutOffTheGroupThatWasBeingWritten() throws IOException {
        // given
        Path copy = copy();
        Path file = newestWriteAheadLog(copy);
        truncate(file, Files.size(file) - 1);

        // when / then
        assertThat(verify(copy)).isEqualTo(BATCHES - 1);
    }

    @Test
    void shouldRefuseAnOlderWriteAheadLogThatEndsWithinAGroup() throws IOException {
        // given
        Path copy = copy();
        Path file = olderWriteAheadLog(copy);
        truncate(file, Files.size(file) - 1);

        // when / then
        assertThatThrownBy(() -> verify(copy))
                .isInstanceOf(LogException.class)
                .hasMessageContainingAll(file.toString(), "damaged", "Restore");
    }

    @Test
    void shouldRefuseAnOlderWriteAheadLogWithoutItsLastGroup() throws IOException {
        // given
        Path copy = copy();
        Path file = olderWriteAheadLog(copy);
        truncate(file, Files.size(file) - 1);
        truncate(file, RecordFile.read(file, Content.NEWEST_GROUPS).wholeBytes());
        assertThat(RecordFile.read(file, Content.OLDER_GROUPS).damage()).isEmpty();

        // when / then
        assertThatThrownBy(() -> verify(copy))
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT))
                .hasMessageContainingAll(copy.toString(), "WAL", "Restore");
    }

    private static Path olderWriteAheadLog(Path directory) throws IOException {
        List<Path> files = files(directory, "\\d+\\.log");
        assertThat(files).hasSizeGreaterThan(1);
        return files.get(files.size() - 2);
    }

    @Test
    void shouldRefuseAMissingWriteAheadLog() throws IOException {
        // given
        Path copy = copy();
        Files.delete(files(copy, "\\d+\\.log").getFirst());

        // when / then
        assertThatThrownBy(() -> verify(copy))
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT))
                .hasMessageContaining("Missing WAL");
    }

    private static long repair(Path store) throws IOException {
        try (LogEnd end = LogEnd.open(store, System::nanoTime)) {
            return RecordCheck.repair(StoreDirectory.rocksdb(store), end);
        }
    }

    @Test
    void shouldRefuseAMissingNewestWriteAheadLog() throws IOException {
        // given a broker that was killed, or one that was stopped
        for (Path store : List.of(killed(), copyWithEnd(sound))) {
            Path newest = newestWriteAheadLog(store);
            byte[] content = Files.readAllBytes(newest);

            // when
            Files.delete(newest);

            // then, as often as it is tried
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> open(store))
                        .isInstanceOf(LogException.class)
                        .hasMessageContaining(newest + ": expected the newest write-ahead log with")
                        .hasMessageContaining("found no such file");
            }

            // when it is empty
            Files.createFile(newest);

            // then
            assertThatThrownBy(() -> open(store))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("found 0 bytes; confirmed messages would be lost");

            // when it holds zeros
            Files.write(newest, new byte[content.length]);

            // then it is left as it is
            assertThatThrownBy(() -> open(store))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("it is known to have been synced");
            assertThat(newest).hasSize(content.length);

            // when it is back
            Files.write(newest, content);

            // then
            assertThat(verify(store)).isPositive();
        }
    }

    @Test
    void shouldNoticeAMissingEndAfterAStop() throws IOException {
        // given
        Path store = copyWithEnd(sound);
        Path newest = newestWriteAheadLog(store);
        long size = Files.size(newest);

        // when
        try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
            file.setLength(size - 1);
        }

        // then
        assertThatThrownBy(() -> open(store))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("at least " + size + " bytes, found " + (size - 1));
    }

    @Test
    void shouldKnowTheNewestWriteAheadLogOfACopy() throws IOException {
        // given
        Path copy = temporary.resolve("offline");
        StoreCopy.copy(sound, copy, (_, _) -> {});

        // when
        Files.delete(newestWriteAheadLog(copy));

        // then
        assertThatThrownBy(() -> open(copy)).hasMessageContaining("found no such file");
    }

    /// A store whose newest log was begun a moment ago, as a kill leaves it.
    private Path killed() throws IOException {
        Path store = Files.createTempDirectory(temporary, "killed").resolve("store");
        try (RocksShardLog log = open(store)) {
            int before = files(store, "\\d+\\.log").size();
            int number = 0;
            while (files(store, "\\d+\\.log").size() <= before || number % 100 > 0) {
                append(log, NumberedBatches.batch(++number), Durability.SYNCED).await();
            }
            return copyWithEnd(store);
        }
    }

    private Path copyWithEnd(Path store) throws IOException {
        Path copy = copyOf(store);
        Files.copy(store.resolve("end"), copy.resolve("end"));
        return copy;
    }

    @Test
    void shouldTellSyncedGroupsFromOthers() throws IOException {
        // given
        Path marked = temporary.resolve("marked");
        List<Long> ends = new ArrayList<>();
        try (RocksShardLog log = open(marked)) {
            for (int number = 1; number <= 6; number++) {
                Durability durability = number <= 3 ? Durability.SYNCED : Durability.WRITTEN;
                append(log, NumberedBatches.batch(number), durability).await();
                ends.add(Files.size(newestWriteAheadLog(marked)));
            }
        }
        Path syncedDamaged = copyOf(marked);
        flip(newestWriteAheadLog(syncedDamaged), ends.get(1) + 20, 0);
        Path unsyncedDamaged = copyOf(marked);
        flip(newestWriteAheadLog(unsyncedDamaged), ends.get(2) + 20, 0);

        // when / then
        assertThatThrownBy(() -> verify(syncedDamaged)).hasMessageContaining("damaged");
        assertThat(verify(unsyncedDamaged)).isEqualTo(3);
    }

    private static void truncate(Path file, long size) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(size);
        }
    }
}
