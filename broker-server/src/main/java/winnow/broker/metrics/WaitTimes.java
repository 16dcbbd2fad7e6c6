package winnow.broker.metrics;

import java.util.concurrent.TimeUnit;

/// Times that something was waited for: a cluster's log, a directory. Thread-safe.
public final class WaitTimes {
    /// From what fast disks take, a tenth of a millisecond, to beyond an election.
    final LoopHistogram nanos =
            new LoopHistogram(
                    micros(100),
                    micros(200),
                    micros(500),
                    micros(1_000),
                    micros(2_000),
                    micros(5_000),
                    micros(10_000),
                    micros(20_000),
                    micros(50_000),
                    micros(100_000),
                    micros(200_000),
                    micros(500_000),
                    micros(1_000_000),
                    micros(2_000_000),
                    micros(5_000_000),
                    micros(10_000_000));

    private static long micros(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }

    /// Adds the time of something that has come.
    public synchronized void record(long waitedNanos) {
        nanos.record(waitedNanos);
    }
}
