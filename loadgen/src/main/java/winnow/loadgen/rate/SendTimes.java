package winnow.loadgen.rate;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// Times at which one publisher is to send, from the beginning of a run on, whatever became of the
/// messages before. Owned by the publisher's thread.
@FunctionalInterface
interface SendTimes {

    /// Nanoseconds from the beginning to the time at which the next message is due.
    long nextNanos();

    /// Evenly spaced times.
    ///
    /// @param messagesPerSecond above 0
    /// @param offset part of an interval before the first, so that several publishers take turns
    static SendTimes constant(double messagesPerSecond, double offset) {
        return new SendTimes() {
            private long number;

            @Override
            public long nextNanos() {
                return Math.round(
                        (offset + number++) * TimeUnit.SECONDS.toNanos(1) / messagesPerSecond);
            }
        };
    }

    /// Times of a Poisson process: the time between two clumps is exponentially distributed, as
    /// where many who do not know of each other send. The messages of a clump are due at the same
    /// time; their number has a geometric distribution.
    ///
    /// @param messagesPerSecond above 0, on average
    /// @param clump mean number of messages of a clump, from 1
    /// @param seed the same times for the same seed
    static SendTimes poisson(double messagesPerSecond, double clump, long seed) {
        var nanosApart = TimeUnit.SECONDS.toNanos(1) * clump / messagesPerSecond;
        return new SendTimes() {
            private final SplittableRandom random = new SplittableRandom(seed);
            private double nanos;
            private long left;

            @Override
            public long nextNanos() {
                if (left == 0) {
                    nanos += random.nextExponential() * nanosApart;
                    left = clump == 1 ? 1 : size(random.nextDouble());
                }
                left--;
                return Math.round(nanos);
            }

            private long size(double uniform) {
                return 1 + (long) (Math.log1p(-uniform) / Math.log1p(-1 / clump));
            }
        };
    }
}
