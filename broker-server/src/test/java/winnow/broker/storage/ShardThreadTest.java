package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.shard.ShardConfig;
import winnow.broker.shard.ShardRecovery;
import winnow.store.MemoryShardLog;

class ShardThreadTest {
    private static final int SLICES = 1000;
    private static final long STOP_MILLIS = 10_000;

    private final AtomicLong nanos = new AtomicLong();
    private final LongAdder faults = new LongAdder();

    /// A clock that goes on by a millisecond with each look.
    private final ShardThread thread =
            new ShardThread(
                    new FaultBarrier(faults),
                    () -> 0,
                    () -> nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1)));

    private final CountDownLatch done = new CountDownLatch(1);
    private int slices;
    private int turns;

    private void start() {
        thread.start(
                ShardRecovery.open(
                        new MemoryShardLog(thread::enqueue),
                        ShardConfig.DEFAULTS,
                        thread,
                        Runnable::run,
                        id -> "",
                        0),
                () -> {},
                () -> {},
                () -> turns++);
    }

    @AfterEach
    void stop() {
        thread.stop(STOP_MILLIS);
        assertThat(faults.sum()).isZero();
    }

    /// Long work of which each slice gives the thread the next one.
    private void slice() {
        slices++;
        if (slices < SLICES) {
            thread.execute(this::slice);
        } else {
            done.countDown();
        }
    }

    @Test
    void shouldAnswerOthersBetweenTheSlicesOfLongWork() throws InterruptedException {
        // given
        thread.execute(this::slice);

        // when
        start();

        // then
        assertThat(done.await(STOP_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        stop();
        assertThat(turns).isGreaterThanOrEqualTo(SLICES - 1);
    }

    @Test
    void shouldTakeOneSliceOfEachWorkInTurn() throws InterruptedException {
        // given
        List<String> order = new ArrayList<>();
        thread.execute(() -> {
            for (String work : List.of("a", "b")) {
                thread.execute(() -> {
                    order.add(work);
                    thread.execute(() -> {
                        order.add(work);
                        if (order.size() == 4) {
                            done.countDown();
                        }
                    });
                });
            }
        });

        // when
        start();

        // then
        assertThat(done.await(STOP_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(order).containsExactly("a", "b", "a", "b");
    }
}
