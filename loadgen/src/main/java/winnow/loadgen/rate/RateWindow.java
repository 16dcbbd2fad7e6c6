package winnow.loadgen.rate;

import java.time.Duration;

/// Time of a run in which messages count. Immutable.
///
/// @param from first nanosecond, by [System#nanoTime()]
/// @param nanos length
record RateWindow(long from, long nanos) {

    static RateWindow after(long begin, Duration warmup, Duration duration) {
        return new RateWindow(begin + warmup.toNanos(), duration.toNanos());
    }

    boolean contains(long time) {
        var since = time - from;
        return since >= 0 && since < nanos;
    }
}
