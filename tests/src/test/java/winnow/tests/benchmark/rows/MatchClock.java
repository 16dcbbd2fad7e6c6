package winnow.tests.benchmark.rows;

import org.HdrHistogram.Histogram;

/// Measures one structure with one message after the other. Used by one thread.
public final class MatchClock {
    /// So long that reading the clock in between does not count.
    private static final double BATCH_NANOS = 20_000;

    private static final int MAX_BATCH = 256;
    private static final long TURN_NANOS = 100_000_000L;
    private static final int DIGITS = 3;

    private final Evaluator evaluator;
    private int next;
    private long found;
    private int batch = 1;

    public MatchClock(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /// @param between called now and then, as the broker would
    public void warmUp(long nanos, Runnable between) {
        long end = System.nanoTime() + nanos;
        double micros = 1;
        while (System.nanoTime() < end) {
            micros = microsPerMessage(TURN_NANOS);
            between.run();
        }
        batch = (int) Math.clamp(BATCH_NANOS / (micros * 1e3), 1, MAX_BATCH);
    }

    public double microsPerMessage(long nanos) {
        long start = System.nanoTime();
        long messages = 0;
        long elapsed;
        do {
            for (int i = 0; i < batch; i++) {
                matchNext();
            }
            messages += batch;
            elapsed = System.nanoTime() - start;
        } while (elapsed < nanos);
        return elapsed / 1e3 / messages;
    }

    /// The times that single matches take, in nanoseconds.
    Histogram times(long nanos) {
        Histogram times = new Histogram(DIGITS);
        long start = System.nanoTime();
        long before = start;
        do {
            matchNext();
            long now = System.nanoTime();
            times.recordValue(now - before);
            before = now;
        } while (before - start < nanos);
        return times;
    }

    private void matchNext() {
        evaluator.match(next, _ -> found++);
        next = (next + 1) & (Row.MESSAGES - 1);
    }

    /// So that the matches are not left out.
    long found() {
        return found;
    }
}
