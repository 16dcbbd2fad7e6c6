package winnow.loadgen.rate;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Percentiles of times. Immutable.
///
/// @param count how many times there are
/// @param meanMicros mean
/// @param p50Micros half are at most this
/// @param p90Micros 90 % are at most this
/// @param p99Micros 99 % are at most this
/// @param p999Micros 99.9 % are at most this
/// @param p9999Micros 99.99 % are at most this
/// @param maxMicros the longest
public record LatencyFigures(
        long count,
        double meanMicros,
        double p50Micros,
        double p90Micros,
        double p99Micros,
        double p999Micros,
        double p9999Micros,
        double maxMicros) {

    static LatencyFigures of(Histogram nanos) {
        return new LatencyFigures(
                nanos.getTotalCount(),
                micros(nanos.getMean()),
                micros(nanos, 50),
                micros(nanos, 90),
                micros(nanos, 99),
                micros(nanos, 99.9),
                micros(nanos, 99.99),
                micros(nanos, 100));
    }

    private static double micros(Histogram nanos, double percentile) {
        return micros((double) nanos.getValueAtPercentile(percentile));
    }

    private static double micros(double nanos) {
        return nanos / TimeUnit.MICROSECONDS.toNanos(1);
    }
}
