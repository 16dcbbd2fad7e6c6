package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LoopCountersTest {

    private final BrokerCounters totals = new BrokerCounters();
    private final LoopCounters loop = new LoopCounters(totals, 0);
    private final LoopCounters other = new LoopCounters(totals, 1);

    private static void deliver(LoopCounters loop, int copies, long nanosPerCopy) {
        loop.delivered(copies, copies * nanosPerCopy);
        loop.updateRecent();
    }

    @Test
    void shouldNotKnowWhatACopyTakesBeforeThereWasOne() {
        loop.flushed(1_000);
        loop.updateRecent();

        assertThat(totals.transmitNanos()).isZero();
    }

    @Test
    void shouldKnowItAtOnceAfterTheFirstCopyWasWritten() {
        // given: confirmations were written before
        loop.flushed(1_000_000);

        // when
        loop.delivered(1, 700);
        loop.flushed(300);

        // then
        assertThat(totals.transmitNanos()).isEqualTo(1_000);
    }

    @Test
    void shouldForgetTheFirstCopies() {
        // given
        deliver(loop, 10_000, 5_000);
        assertThat(totals.transmitNanos()).isEqualTo(5_000);

        // when
        for (int i = 0; i < 20; i++) {
            deliver(loop, 10_000, 100);
        }

        // then
        assertThat(totals.transmitNanos()).isEqualTo(100, within(1.0));
    }

    @Test
    void shouldLeaveOutWhatWasWrittenWithoutCopies() {
        // given
        loop.flushed(100_000);
        loop.delivered(1_000, 90_000);
        loop.flushed(10_000);

        // when
        loop.flushed(1_000_000);
        loop.updateRecent();
        loop.flushed(1_000_000);
        loop.updateRecent();

        // then
        assertThat(totals.transmitNanos()).isEqualTo(100);
    }

    @Test
    void shouldWeighLoopsByTheirCopies() {
        deliver(loop, 3_000, 100);
        deliver(other, 1_000, 500);

        assertThat(totals.transmitNanos()).isEqualTo(200);
    }
}
