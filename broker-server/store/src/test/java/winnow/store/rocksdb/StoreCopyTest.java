package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.store.RecordingCompletion.append;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.LogException;
import winnow.store.Table;

class StoreCopyTest {
    private static final int BATCHES = 300;

    @TempDir private Path directory;
    private Path source;
    private Path target;

    @BeforeEach
    void writeLog() {
        source = directory.resolve("source");
        target = directory.resolve("made/target");
        try (RocksShardLog log = open(source)) {
            for (int number = 1; number <= BATCHES; number++) {
                append(log, NumberedBatches.batch(number));
            }
        }
    }

    private static RocksShardLog open(Path directory) {
        return RocksShardLog.open(directory, Runnable::run, RocksSettings.within(1));
    }

    @Test
    void shouldCopyEverything() {
        List<Long> told = new ArrayList<>();

        StoreCopy.copy(source, target, (done, all) -> told.add(all - done));

        assertThat(told).isNotEmpty().endsWith(0L);
        try (RocksShardLog copy = open(target);
                RocksShardLog log = open(source)) {
            assertThat(NumberedBatches.verify(copy)).isEqualTo(BATCHES);
            assertThat(NumberedBatches.verify(log)).isEqualTo(BATCHES);
        }
    }

    @Test
    void shouldRefuseALogInUse() {
        try (RocksShardLog log = open(source)) {
            assertThat(log.epoch()).isPositive();
            assertThatThrownBy(() -> StoreCopy.copy(source, target, (_, _) -> {}))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("in use by process");
        }
        assertThat(target).doesNotExist();
    }

    @Test
    void shouldRefuseWhatIsNoStore() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path unfinished = Files.createDirectory(directory.resolve("unfinished"));
        Files.writeString(unfinished.resolve("format"), "winnow-store 1 incomplete\n");

        assertThatThrownBy(() -> StoreCopy.requireStore(directory.resolve("missing")))
                .hasMessageContaining("expected a store, found no such directory");
        assertThatThrownBy(() -> StoreCopy.copy(empty, target, (_, _) -> {}))
                .hasMessageContaining("expected a store, found no file 'format' in it");
        assertThatThrownBy(() -> StoreCopy.copy(unfinished, target, (_, _) -> {}))
                .hasMessageContaining("whose making was interrupted");
        assertThat(target).doesNotExist();
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void shouldNotOverwrite() throws IOException {
        Files.createDirectories(target);

        assertThatThrownBy(() -> StoreCopy.copy(source, target, (_, _) -> {}))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(target + ": expected nothing there");
    }

    @Test
    void shouldBeNoStoreBeforeItIsComplete() {
        assertThatThrownBy(() ->
                        StoreCopy.copy(
                                source,
                                target,
                                (_, _) -> {
                                    throw new IllegalStateException("stop");
                                }))
                .hasMessage("stop");

        assertThatThrownBy(() -> StoreCopy.requireStore(target))
                .hasMessageContaining("expected a store");
        StoreCopy.remove(target);
        StoreCopy.remove(target);
        assertThat(target).doesNotExist();
    }

    @Test
    void shouldMeasureFilesByTable() {
        open(source).close(); // writes out what the write-ahead log has

        try (RocksShardLog log = open(source)) {
            assertThat(log.fileBytes()).containsOnlyKeys(Table.values());
            assertThat(log.fileBytes().values()).anyMatch(bytes -> bytes > 0);
            log.verifyFiles();
        }
    }
}
