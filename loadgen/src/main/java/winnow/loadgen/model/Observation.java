package winnow.loadgen.model;

import java.util.Comparator;
import java.util.List;

/// One point of the model, measured once or several times. Immutable.
///
/// @param installedFilters n_fltr
/// @param replicationGrade r
/// @param readings the measurements of B, at least one; an odd number, so that one of them is in
///   the middle
public record Observation(
        double installedFilters, double replicationGrade, List<Reading> readings) {

    private static final double ROUNDING = 1e-12;

    /// One measurement of B.
    ///
    /// @param serviceSeconds the measured B, above zero
    /// @param weight what it counts, 1 on an undisturbed machine and less on a disturbed one: the
    ///   variance of log B there over that of this measurement
    public record Reading(double serviceSeconds, double weight) {
        public Reading {
            if (!(serviceSeconds > 0) || Double.isInfinite(serviceSeconds)) {
                throw new IllegalArgumentException(
                        "expected a service time above 0 s, found " + serviceSeconds);
            }
            if (!(weight > 0 && weight <= 1)) {
                throw new IllegalArgumentException(
                        "expected a weight above 0 and at most 1, found " + weight);
            }
        }
    }

    public Observation {
        if (readings.isEmpty()) {
            throw new IllegalArgumentException("expected at least one reading, found none");
        }
        readings =
                readings.stream()
                        .sorted(Comparator.comparingDouble(Reading::serviceSeconds))
                        .toList();
    }

    /// A point that was measured once, undisturbed.
    public Observation(double installedFilters, double replicationGrade, double serviceSeconds) {
        this(installedFilters, replicationGrade, List.of(new Reading(serviceSeconds, 1)));
    }

    /// B: the weighted median of the readings, because what disturbs one of them (another process,
    /// a collection) disturbs it by any amount and mostly in one direction. Between two halves of
    /// equal weight it is their geometric mean.
    public double serviceSeconds() {
        var half = totalWeight() / 2;
        var below = 0.0;
        for (var i = 0; i < readings.size(); i++) {
            below += readings.get(i).weight();
            // A sum of equal weights may miss the half by its last digit.
            if (below >= half * (1 + ROUNDING) || i == readings.size() - 1) {
                return readings.get(i).serviceSeconds();
            }
            if (below >= half * (1 - ROUNDING)) {
                return Math.sqrt(
                        readings.get(i).serviceSeconds() * readings.get(i + 1).serviceSeconds());
            }
        }
        throw new IllegalStateException("no readings");
    }

    /// Sum of the weights of the readings.
    double totalWeight() {
        return readings.stream().mapToDouble(Reading::weight).sum();
    }

    /// Row of the design matrix: the factors of t_rcv, t_fltr and t_tx.
    double[] factors() {
        return new double[] {1, installedFilters, replicationGrade};
    }

    /// By how much the model misses this point, as a fraction of what was measured; above zero when
    /// the model predicts a longer time.
    public double relativeError(ServiceTimes times) {
        return times.serviceSeconds(installedFilters, replicationGrade) / serviceSeconds() - 1;
    }
}
