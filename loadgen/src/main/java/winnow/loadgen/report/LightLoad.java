package winnow.loadgen.report;

import winnow.loadgen.run.Latency;
import winnow.loadgen.workload.Point;

/// Latency of messages under a light load. Immutable.
///
/// @param point the subscribers
/// @param latency from the time at which each message was due
public record LightLoad(Point point, Latency latency) {

    /// A light load alone uses less than that of two processors.
    private static final double BUSY = 0.6;

    String sentence() {
        var busy = latency.machineBusyShare();
        return figures()
                + (busy > BUSY
                        ? " while the processors were %.0f %% busy.".formatted(busy * 100)
                        : ".");
    }

    private String figures() {
        return ("At %,.0f messages/s with %,d %s filters half of the messages arrive within %s,"
                        + " 99 %% within %s")
                .formatted(
                        latency.ratePerSecond(),
                        point.installedFilters(),
                        point.filter(),
                        TimeText.of(latency.p50Micros() / 1e6),
                        TimeText.of(latency.p99Micros() / 1e6));
    }
}
