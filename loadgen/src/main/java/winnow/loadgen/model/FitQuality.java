package winnow.loadgen.model;

import org.jspecify.annotations.Nullable;

/// Quality with which a fitted model describes what it was fitted to. Immutable.
///
/// @param receive 95 % interval of t_rcv
/// @param filter 95 % interval of t_fltr
/// @param transmit 95 % interval of t_tx; null below three replication grades, where an error that
///   all points of a grade share cannot be told from the time of its copies
/// @param meanAbsoluteRelativeError mean over the fitted points of |model / measured - 1|
/// @param lackOfFit whether that is more than the scatter of repetitions
/// @param widening factor by which disturbances have widened the intervals: 1 if not at all, 1.2
///   for a fifth; the largest of the three parameters
public record FitQuality(
        Interval receive,
        Interval filter,
        @Nullable Interval transmit,
        double meanAbsoluteRelativeError,
        LackOfFit lackOfFit,
        double widening) {

    /// The same with [Interval#lowered] intervals.
    FitQuality lowered(double share) {
        return new FitQuality(
                receive.lowered(share),
                filter.lowered(share),
                transmit == null ? null : transmit.lowered(share),
                meanAbsoluteRelativeError,
                lackOfFit,
                widening);
    }
}
