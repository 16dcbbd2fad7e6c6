package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.store.RecordingCompletion.append;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Durability;
import winnow.store.LogException;

/// Takes the newest write-ahead log away from stores in different states.
class MissingLogTest {
    /// RocksDB begins a new log for a table whose megabyte is full; those of others need the old.
    private static final RocksSettings SETTINGS =
            new RocksSettings(1 << 20, 8 << 20, 1 << 20, 4096, 1 << 20, 2);

    @TempDir private Path temporary;

    private Path store() {
        return temporary.resolve("store");
    }

    private static RocksShardLog open(Path directory) {
        return RocksShardLog.open(directory, Runnable::run, SETTINGS);
    }

    private static List<Path> files(Path store, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            return files.filter(path -> path.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private static Path newest(Path store) throws IOException {
        return files(store, ".log").getLast();
    }

    private static void refuses(Path store, Path missing) {
        assertThatThrownBy(() -> open(store))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(missing + ": expected the newest write-ahead log with")
                .hasMessageContaining("found no such file");
    }

    /// Copy of the files, as a kill leaves them.
    private Path copy() throws IOException {
        Path copy = temporary.resolve("copy");
        Files.createDirectories(copy.resolve("rocksdb"));
        for (String name : List.of("format", "end")) {
            Files.copy(store().resolve(name), copy.resolve(name));
        }
        for (Path file : files(store(), "")) {
            Files.copy(file, copy.resolve("rocksdb").resolve(file.getFileName()));
        }
        return copy;
    }

    @Test
    void shouldBeNoticedWhenASyncedGroupBeganIt() throws IOException {
        // given groups of which each second is synced
        try (RocksShardLog log = open(store())) {
            int number = 0;
            Path last;
            do {
                append(log, NumberedBatches.batch(++number), Durability.WRITTEN).await();
                last = newest(store());
                append(log, NumberedBatches.batch(++number), Durability.SYNCED).await();
            } while (newest(store()).equals(last) || !Files.exists(last));
            Path copy = copy();

            // when
            Path newest = newest(copy);
            Files.delete(newest);

            // then
            refuses(copy, newest);
        }
    }

    @Test
    void shouldBeNoticedWhenAnEarlierStartHasFailed() throws IOException {
        // given
        try (RocksShardLog log = open(store())) {
            append(log, NumberedBatches.batch(1), Durability.SYNCED).await();
            log.flush();
            append(log, NumberedBatches.batch(2), Durability.SYNCED).await();
        }
        Path data = files(store(), ".sst").getFirst();
        Path aside = temporary.resolve("aside");
        Files.move(data, aside);
        assertThatThrownBy(() -> open(store())).hasMessageContaining("No such file");
        Files.move(aside, data);

        // when
        Path newest = newest(store());
        Files.delete(newest);

        // then
        refuses(store(), newest);
    }

    @Test
    void shouldBeNoticedInACopyOfARunningStore() throws IOException {
        // given
        Path copy = temporary.resolve("copy");
        try (RocksShardLog log = open(store())) {
            append(log, NumberedBatches.batch(1), Durability.SYNCED).await();
            log.checkpoint(copy);
        }
        Path newest = newest(copy);
        byte[] content = Files.readAllBytes(newest);

        // when
        Files.delete(newest);

        // then
        refuses(copy, newest);
        Files.write(newest, content);
        try (RocksShardLog log = open(copy)) {
            assertThat(NumberedBatches.verify(log)).isEqualTo(1);
        }
    }

    @Test
    void shouldNotMatterBeforeTheStoreHasBeenMade() throws IOException {
        // given
        open(store()).close();
        Files.writeString(store().resolve("format"), "winnow-store 1 incomplete\n");

        // when
        Files.delete(newest(store()));

        // then
        open(store()).close();
    }
}
