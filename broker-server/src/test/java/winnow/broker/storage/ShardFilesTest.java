package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.BrokerConfig;
import winnow.broker.shard.ShardConfig;

class ShardFilesTest {
    /// More than is free, and no disk has to keep it: the file is a hole.
    private static final long HUGE_BYTES = 1L << 42;

    @TempDir private Path data;

    @Test
    void shouldWaitForRoomForWhatIsInTheWriteAheadLog() throws IOException {
        // given
        Path log = Files.createDirectory(data.resolve("rocksdb")).resolve("000007.log");
        StorageConfig config =
                BrokerConfig.of(Map.of("storage.directory", data.toString())).storage();
        ShardFiles files =
                new ShardFiles(
                        config,
                        ShardConfig.DEFAULTS,
                        id -> "",
                        Runnable::run,
                        Runnable::run,
                        Runnable::run,
                        null);
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(HUGE_BYTES);

            // then
            assertThat(files.writable()).isFalse();

            // when
            file.setLength(1);
        }

        // then
        assertThat(files.writable()).isTrue();
        assertThat(data.resolve("probe")).doesNotExist();
    }
}
