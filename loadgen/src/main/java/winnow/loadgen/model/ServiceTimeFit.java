package winnow.loadgen.model;

/// The model fitted to measurements, and how well. Immutable.
///
/// @param times the fitted parameters
/// @param receive 95 % interval of t_rcv
/// @param filter 95 % interval of t_fltr
/// @param transmit 95 % interval of t_tx
/// @param r2 share of the variance of B that the model explains, unweighted
/// @param meanAbsoluteRelativeError mean over the fitted points of |model / measured - 1|
/// @param conditionNumber of the weighted design, columns scaled to unit length: how much noise in
///   B can grow on its way into a parameter
/// @param observations how many measurements were fitted
public record ServiceTimeFit(
        ServiceTimes times,
        Interval receive,
        Interval filter,
        Interval transmit,
        double r2,
        double meanAbsoluteRelativeError,
        double conditionNumber,
        int observations) {}
