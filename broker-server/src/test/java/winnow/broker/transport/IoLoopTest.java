package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.Iterations;
import winnow.broker.metrics.LoopCounters;

@ParameterizedClass
@MethodSource("handlers")
class IoLoopTest {
    private static final int TURNS = 10_000;
    private static final int SLEEPS = 20;
    private static final int SLEEP_MILLIS = 20;

    private final LoopThreads threads = new LoopThreads("test-loop");
    private final Iterations iterations = new LoopCounters(new BrokerCounters(), 0).iterations();
    private final CountDownLatch done = new CountDownLatch(1);
    private final EventLoopGroup group;
    private final IoLoop loop;

    IoLoopTest(IoHandlerFactory handlers) {
        group = EventLoops.newGroup(1, threads, handlers);
        loop = (IoLoop) group.next();
        loop.measure(iterations);
    }

    static Stream<IoHandlerFactory> handlers() {
        return Epoll.isAvailable()
                ? Stream.of(EpollIoHandler.newFactory(), NioIoHandler.newFactory())
                : Stream.of(NioIoHandler.newFactory());
    }

    @AfterEach
    void stop() {
        threads.onStop();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void shouldNotMeasureTheSleep() throws InterruptedException {
        // when
        loop.execute(() -> sleep(SLEEPS));
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();

        // then
        Iterations.Totals totals = iterations.totals();
        assertThat(totals.wakeups()).isGreaterThanOrEqualTo(SLEEPS);
        assertThat(totals.iterations()).isGreaterThanOrEqualTo(SLEEPS - 1);
        assertThat(totals.nanos())
                .isPositive()
                .isLessThan(TimeUnit.MILLISECONDS.toNanos(SLEEPS * SLEEP_MILLIS));
    }

    private void sleep(int times) {
        if (times == 0) {
            done.countDown();
        } else {
            loop.schedule(() -> sleep(times - 1), SLEEP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void shouldNotCountTurnsThatOnlyPoll() throws InterruptedException {
        // when
        loop.execute(() -> poll(TURNS));
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();

        // then
        assertThat(iterations.totals().iterations()).isLessThan(TURNS / 10);
    }

    private void poll(int turns) {
        if (turns == 0) {
            done.countDown();
        } else {
            loop.executeAfterEventLoopIteration(() -> loop.execute(() -> poll(turns - 1)));
        }
    }
}
