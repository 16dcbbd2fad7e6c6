package winnow.loadgen.model;

import org.hipparchus.distribution.continuous.TDistribution;

/// B of one load as the model has it. Immutable.
///
/// @param serviceSeconds the model's B
/// @param logError standard error of log B of one measured point with this load: the uncertainty of
///   the parameters and what single points scatter around the model
/// @param degreesOfFreedom of logError
public record Prediction(double serviceSeconds, double logError, double degreesOfFreedom) {

    private static final double UPPER = 0.975;

    /// The range that holds the B of such a point with 95 % confidence.
    public Interval interval() {
        return around(serviceSeconds, logError, degreesOfFreedom);
    }

    /// This B over that of another load, with 95 % confidence.
    public Interval timesOf(Prediction other) {
        return around(
                serviceSeconds / other.serviceSeconds,
                Math.hypot(logError, other.logError),
                Math.min(degreesOfFreedom, other.degreesOfFreedom));
    }

    private static Interval around(double value, double logError, double degreesOfFreedom) {
        var factor = Math.exp(quantile(degreesOfFreedom) * logError);
        return new Interval(value / factor, value * factor);
    }

    /// 97.5 % quantile of Student's t distribution.
    static double quantile(double degreesOfFreedom) {
        // A comparison with what is no number is false: one degree is the safe side.
        return new TDistribution(degreesOfFreedom > 1 ? degreesOfFreedom : 1)
                .inverseCumulativeProbability(UPPER);
    }
}
