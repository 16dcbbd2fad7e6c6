package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IterationsTest {
    private static final long SHORT = 1_000;
    private static final long SLEEP = 1_000_000;
    private static final long WORK = 7_000;

    private final LoopCounters loop = new LoopCounters(new BrokerCounters(), 0);
    private final Iterations iterations = loop.iterations();
    private long nanos = 1_000_000_000;

    /// A poll that takes so long, and finds so many sockets ready.
    private void poll(long pollNanos, boolean mayWait, int sockets) {
        iterations.onPoll(nanos);
        nanos += pollNanos;
        iterations.onPolled(nanos, mayWait);
        iterations.onHandled(sockets);
    }

    private Iterations.Totals ended() {
        iterations.onPoll(nanos);
        return iterations.totals();
    }

    @Test
    void shouldMeasureFromTheEndOfOnePollToTheBeginOfTheNext() {
        // when
        for (int i = 0; i < 3; i++) {
            poll(SLEEP, true, 1);
            nanos += WORK;
        }

        // then
        assertThat(ended()).isEqualTo(new Iterations.Totals(3, 3 * WORK, 0, 0, 0, 3));
    }

    @Test
    void shouldNotCountTurnsThatOnlyPoll() {
        // given
        poll(SHORT, false, 1);

        // when
        for (int i = 0; i < 10; i++) {
            poll(SHORT, false, 0);
        }

        // then
        assertThat(ended().iterations()).isEqualTo(1);
    }

    @Test
    void shouldCountATurnThatHasSomethingToDoWithoutASocket() {
        poll(SHORT, false, 0);
        iterations.onWork();

        assertThat(ended().iterations()).isEqualTo(1);
        assertThat(ended().iterations()).isEqualTo(1);
    }

    @Test
    void shouldTellASleepFromAPollOfManySockets() {
        // given
        poll(Iterations.SLEEP_NANOS + 99 * Iterations.SOCKET_NANOS, true, 100);
        assertThat(ended().wakeups()).isZero();

        // when
        poll(Iterations.SLEEP_NANOS + 1, true, 1);
        poll(SLEEP, false, 1);

        // then
        assertThat(ended().wakeups()).isEqualTo(1);
    }

    @Test
    void shouldCountMessagesByTheIterationTheyCameIn() {
        // when
        poll(SLEEP, true, 1);
        loop.routed(100, 0);
        loop.routed(100, 3);
        iterations.onStoredMessage();
        poll(SLEEP, true, 1);
        poll(SLEEP, true, 1);
        loop.routed(100, 1);

        // then
        assertThat(ended().messages()).isEqualTo(4);
        long[] counts = new long[iterations.messages.bounds().length + 1];
        iterations.messages.addCountsTo(counts);
        assertThat(counts).startsWith(1, 1, 0, 1, 0);
    }

    @Test
    void shouldCountReadsAndWrites() {
        iterations.onRead();
        iterations.onRead();
        iterations.onWrite();

        assertThat(ended()).isEqualTo(new Iterations.Totals(0, 0, 0, 2, 1, 0));
    }
}
