package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;

class EventLoopsTest {
    private final BrokerCounters counters = new BrokerCounters();
    private final EventLoops loops =
            new EventLoops(1, new NameDictionary(16), counters, new BacklogMemory(1 << 20));

    @AfterEach
    void stop() {
        loops.stop();
    }

    @Test
    void shouldRunATimerAgainAfterItFailed() throws InterruptedException {
        // given
        CountDownLatch runs = new CountDownLatch(3);

        // when
        loops.every(
                1,
                _ -> {
                    runs.countDown();
                    throw new IllegalStateException("made for this test");
                });

        // then
        assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(counters.internalErrors.sum()).isPositive();
    }
}
