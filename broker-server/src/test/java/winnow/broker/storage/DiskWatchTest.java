package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWatchTest {
    private final CountDownLatch looks = new CountDownLatch(4);

    @TempDir private Path directory;

    /// Fails at the second and the third look.
    private long messageBytes() {
        looks.countDown();
        if (looks.getCount() == 2) {
            throw new IllegalStateException("a fault");
        }
        if (looks.getCount() == 1) {
            throw new AssertionError("another fault");
        }
        return 0;
    }

    @Test
    void shouldGoOnAfterAFault() throws IOException, InterruptedException {
        // given
        Files.createDirectory(directory.resolve("rocksdb"));
        try (DiskWatch watch =
                new DiskWatch(
                        directory, 0, this::messageBytes, CompletableFuture::new, spares -> {})) {
            // when
            watch.start();

            // then
            assertThat(looks.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
