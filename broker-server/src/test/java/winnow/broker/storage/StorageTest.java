package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.ShardConfig;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;

class StorageTest {
    private static final long TIMEOUT_MILLIS = 60_000;

    /// Long enough for a storage that does not wait for loops.
    private static final long SOME_MILLIS = 300;

    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1024));
    private final List<String> done = new CopyOnWriteArrayList<>();

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
