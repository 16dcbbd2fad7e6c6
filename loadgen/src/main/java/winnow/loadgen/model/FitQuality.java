package winnow.loadgen.model;

/// How well a fitted model describes what it was fitted to. Immutable.
///
/// @param receive 95 % interval of t_rcv
/// @param filter 95 % interval of t_fltr
/// @param transmit 95 % interval of t_tx
/// @param r2 share of the variance of B that the model explains, unweighted
/// @param meanAbsoluteRelativeError mean over the fitted points of |model / measured - 1|
public record FitQuality(
        Interval receive,
        Interval filter,
        Interval transmit,
        double r2,
        double meanAbsoluteRelativeError) {}
