package winnow.loadgen.forecast;

import org.jspecify.annotations.Nullable;

/// Demands on a broker. Immutable.
///
/// @param utilization share of its capacity that may be used, below 1
/// @param p99Seconds 99 % of the messages wait at most so long; null for no such limit
/// @param ratePerSecond messages that all brokers together receive; null if it is what is asked
/// @param loops event loops of a broker; each serves a share of the publishers
/// @param networkBitsPerSecond of a broker in each direction; infinite for no limit
public record Targets(
        double utilization,
        @Nullable Double p99Seconds,
        @Nullable Double ratePerSecond,
        int loops,
        double networkBitsPerSecond) {

    private static final double MOST = 0.99;

    public Targets {
        if (!(utilization > 0 && utilization <= MOST)) {
            throw new IllegalArgumentException(
                    "expected a utilization above 0 and at most %s, found %s"
                            .formatted(MOST, utilization));
        }
        if (p99Seconds != null && !(p99Seconds > 0)) {
            throw new IllegalArgumentException(
                    "expected a waiting time above 0, found " + p99Seconds + " s");
        }
        if (ratePerSecond != null && !(ratePerSecond > 0 && Double.isFinite(ratePerSecond))) {
            throw new IllegalArgumentException("expected a rate above 0, found " + ratePerSecond);
        }
        if (loops < 1) {
            throw new IllegalArgumentException("expected at least one event loop, found " + loops);
        }
        if (!(networkBitsPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "expected a network faster than 0 bit/s, found " + networkBitsPerSecond);
        }
    }
}
