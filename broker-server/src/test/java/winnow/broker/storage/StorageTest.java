package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.BrokerConfig;
import winnow.broker.shard.ShardConfig;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;

class StorageTest {
    private static final long TIMEOUT_MILLIS = 60_000;

    /// Long enough for a storage that does not wait for loops.
    private static final long SOME_MILLIS = 300;

    @TempDir private Path data;

    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1024));
    private final List<String> done = new CopyOnWriteArrayList<>();

    /// A broker that ended while it tried whether a full disk takes bytes leaves them behind.
    @Test
    void shouldRemoveWhatItHasTriedAFullDiskWith() throws IOException {
        StorageConfig config =
                BrokerConfig.of(Map.of("storage.directory", data.toString())).storage();
        Storage.open(config, ShardConfig.DEFAULTS, id -> "", loop.faults()).close();
        Files.write(data.resolve("probe"), new byte[10]);

        Storage.open(config, ShardConfig.DEFAULTS, id -> "", loop.faults()).close();

        assertThat(data.resolve("probe")).doesNotExist();
    }

    /// So that no confirmation is overtaken by the end of its connection.
    @Test
    void shouldBeIdleWhenLoopsHaveDoneWhatTheyWereTold() throws InterruptedException {
        try (Storage storage =
                Storage.open(
                        StorageConfig.DEFAULTS, ShardConfig.DEFAULTS, id -> "", loop.faults())) {
            // given
            storage.start();
            storage.execute(shard -> storage.tell(loop, fault -> {}, () -> done.add("told")));
            Thread waiting =
                    Thread.ofPlatform()
                            .start(() -> {
                                storage.awaitIdle(List.of(loop), TIMEOUT_MILLIS);
                                done.add("idle");
                            });

            // when, then
            waiting.join(SOME_MILLIS);
            assertThat(done).isEmpty();
            while (waiting.isAlive()) {
                loop.runCommands();
                waiting.join(1);
            }
            assertThat(done).containsExactly("told", "idle");
        }
    }
}
