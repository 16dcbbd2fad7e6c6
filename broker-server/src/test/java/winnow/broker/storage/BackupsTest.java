package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.config.ByteSize;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.RowConsumer;
import winnow.store.ShardLog;
import winnow.store.Table;

class BackupsTest {
    private final CompletableFuture<ShardLog> log = new CompletableFuture<>();

    @TempDir private Path data = Path.of("");

    private Backups backups = new Backups(StorageConfig.DEFAULTS, () -> log);

    @BeforeEach
    void makeStore() throws IOException {
        Files.createDirectories(data.resolve("store").resolve("rocksdb"));
        ByteSize size = new ByteSize(1 << 20);
        StorageConfig config =
                new StorageConfig(
                        data.resolve("store"),
                        size,
                        size,
                        size,
                        size,
                        size,
                        size,
                        4,
                        1000,
                        size,
                        size);
        backups = new Backups(config, () -> log);
    }

    /// A log on a disk that is full after the first file of a copy.
    private static final class FullLog implements ShardLog {
        @Override
        public void checkpoint(Path directory) {
            try {
                Files.createDirectories(directory);
                Files.writeString(directory.resolve("format"), "half");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            throw new LogException(Reason.NO_SPACE, "no space left");
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public void append(Batch batch, Durability durability, Completion completion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return null;
        }

        @Override
        public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {}

        @Override
        public void reclaim(Table table, byte[] from, byte[] to) {}

        @Override
        public void close() {}
    }

    @Test
    void shouldMakeOneAtATime() {
        // when
        CompletableFuture<Backup> first = backups.make("first").toCompletableFuture();

        // then
        assertThat(first).isNotDone();
        assertThat(backups.list()).containsExactly(backups.underWay("first"));
        assertThat(backups.find("first")).contains(backups.underWay("first"));
        assertThatThrownBy(() -> backups.make("second"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("backup 'first' is being made or removed; try again when it is done");
        assertThatThrownBy(() -> backups.remove("second"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldLeaveNothingOfABackupThatFails() throws IOException {
        // when
        CompletableFuture<Backup> made = backups.make("b").toCompletableFuture();
        log.complete(new FullLog());

        // then
        assertThat(made)
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableThat()
                .withMessageContaining("no space left");
        try (var left = Files.list(data.resolve("backups"))) {
            assertThat(left).isEmpty();
        }
        assertThat(backups.list()).isEqualTo(List.of());
        assertThatThrownBy(() -> backups.find("b")).hasMessage("no space left");
        assertThat(backups.find("c")).isEmpty();
        assertThat(backups.remove("b")).isEmpty();
    }

    @Test
    void shouldFailWithTheStore() {
        // when
        CompletableFuture<Backup> made = backups.make("b").toCompletableFuture();
        log.completeExceptionally(new LogException(Reason.IO, "the disk is gone"));

        // then
        assertThat(made)
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableThat()
                .withMessageContaining("the disk is gone");
        assertThat(data.resolve("backups")).doesNotExist();
    }
}
