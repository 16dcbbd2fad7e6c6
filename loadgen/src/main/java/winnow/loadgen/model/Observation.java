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
    /// a collection) disturbs it by any amount and mostly in one direction.
    public double serviceSeconds() {
        var half = readings.stream().mapToDouble(Reading::weight).sum() / 2;
        var below = 0.0;
        for (var reading : readings) {
            below += reading.weight();
            // A sum of equal weights may miss the half by its last digit.
            if (below >= half * (1 - 1e-12)) {
                return reading.serviceSeconds();
            }
        }
        throw new IllegalStateException("the weights of " + readings + " have no middle");
    }

    /// Mean weight of the readings.
    double weight() {
        return readings.stream().mapToDouble(Reading::weight).average().orElseThrow();
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
