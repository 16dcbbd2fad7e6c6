package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;

class LoopTicksTest {
    private long nowNanos;

    @Test
    void shouldNameTheLoopThatHasStopped() {
        // given
        LoopTicks ticks = new LoopTicks(2, () -> nowNanos);

        // when
        nowNanos = TimeUnit.SECONDS.toNanos(3);
        ticks.onTick(0);

        // then
        assertThat(ticks.stalled(Duration.ofSeconds(3))).isEmpty();
        assertThat(ticks.stalled(Duration.ofSeconds(2)))
                .isEqualTo("event loop 1 has not run for 3000 ms");
    }

    @Test
    void shouldSeeAnEventLoopThatHangs() {
        // given
        EventLoops loops =
                new EventLoops(
                        1, new NameDictionary(1), new BrokerCounters(), new BacklogMemory(1 << 20));
        CountDownLatch mayGoOn = new CountDownLatch(1);

        // when
        loops.all().get(0).execute(() -> awaitUninterruptibly(mayGoOn));

        // then
        Duration limit = Duration.ofMillis(3L * LoopTicks.INTERVAL_MILLIS);
        await(() -> loops.stalled(limit).startsWith("event loop 0 has not run for"));
        mayGoOn.countDown();
        await(() -> loops.stalled(limit).isEmpty());
        loops.stop();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
