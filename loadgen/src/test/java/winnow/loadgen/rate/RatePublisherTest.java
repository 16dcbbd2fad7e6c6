package winnow.loadgen.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.worker.Provider;

class RatePublisherTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MESSAGES = 100;

    @Test
    void shouldCountAllMessagesThatAPauseOfItsOwnMakesLate() throws Exception {
        // given a thread that should send each millisecond and gets no processor for 60
        var begin = System.nanoTime();
        var next = new int[1];
        Turns turns =
                () -> {
                    var number = next[0]++;
                    if (number == 10) {
                        spinUntil(begin + 70 * MILLI);
                    }
                    var due = begin + number * MILLI;
                    spinUntil(due);
                    return number == MESSAGES ? Turns.NONE : due;
                };

        // when
        var lag = new Histogram(3);
        var problems = new RateProblems();
        try (var publisher = new RatePublisher(load(), provider(), 0, new LongAdder(), problems)) {
            publisher.sending(turns, new RateWindow(begin, Long.MAX_VALUE)).run();
            publisher.addLagTo(lag);
        }

        // then not the first alone
        assertThat(problems.failure()).isNull();
        assertThat(lag.getTotalCount()).isEqualTo(MESSAGES);
        assertThat(lag.getCountBetweenValues(10 * MILLI, Long.MAX_VALUE)).isBetween(45L, 90L);
    }

    private static void spinUntil(long time) {
        while (System.nanoTime() - time < 0) {
            Thread.onSpinWait();
        }
    }

    private static RateLoad load() {
        return new RateLoad(
                new Target(Target.Kind.TOPIC, UUID.randomUUID().toString()),
                1,
                1,
                false,
                false,
                0,
                RateLoad.MIN_BODY_BYTES,
                Duration.ZERO,
                Spacing.CONSTANT,
                Duration.ZERO,
                Duration.ofSeconds(1),
                1,
                SideLoads.NONE);
    }

    private static Provider provider() {
        return new Provider(FakeConnectionFactory.class.getName(), "fake:none", "", "");
    }
}
