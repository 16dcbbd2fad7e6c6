package winnow.loadgen.run;

import org.jspecify.annotations.Nullable;

/// The loss in worth of a CPU second while a point was measured, by what others did. Immutable.
///
/// @param slowdown CPU time of a fixed piece of work around the point over that on the quiet
///   machine: 1.25 if a quarter more was needed; 1 without a calibrator
/// @param drift the longer of its times before and after the point over the shorter one
public record Disturbance(double slowdown, double drift) {

    /// Points from here on are measured again as long as there is time.
    static final double TO_REPEAT = 0.25;

    /// From here on nobody knows what a CPU second was worth in between.
    static final double MOST_DRIFT = 2;

    /// Share at which a point counts half. Undisturbed points scatter by 5 to 10 % around the
    /// model; a fixed piece of work that takes a fifth longer says that B may be off by as much
    /// again.
    private static final double HALF_WEIGHT = 0.2;

    /// Of any point, so that it can be fitted.
    private static final double LEAST_WEIGHT = 1e-4;

    /// @param referenceMicros CPU time of the work on the quiet machine; null without a calibrator
    static Disturbance of(Conditions conditions, @Nullable Double referenceMicros) {
        var calibration = conditions.calibration();
        return new Disturbance(
                referenceMicros == null || calibration.isEmpty()
                        ? 1
                        : calibration.getAsDouble() / referenceMicros,
                conditions.drift());
    }

    /// By how much a CPU second was worth less, or changed its worth, whichever is more.
    public double share() {
        return Math.max(0, Math.max(slowdown, drift) - 1);
    }

    /// Weight of the point in a fit: 1 undisturbed, 0.5 at a share of a fifth.
    public double weight() {
        return Math.max(LEAST_WEIGHT, 1 / (1 + Math.pow(share() / HALF_WEIGHT, 2)));
    }
}
