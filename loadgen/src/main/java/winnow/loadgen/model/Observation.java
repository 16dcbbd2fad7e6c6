package winnow.loadgen.model;

/// One measured point of the model. Immutable.
///
/// @param installedFilters n_fltr
/// @param replicationGrade r
/// @param serviceSeconds the measured B, above zero
public record Observation(double installedFilters, double replicationGrade, double serviceSeconds) {

    public Observation {
        if (!(serviceSeconds > 0) || Double.isInfinite(serviceSeconds)) {
            throw new IllegalArgumentException(
                    "expected a service time above 0 s, found " + serviceSeconds);
        }
    }

    /// Row of the design matrix: the factors of t_rcv, t_fltr and t_tx.
    double[] factors() {
        return new double[] {1, installedFilters, replicationGrade};
    }

    /// By how much the model misses this point, as a fraction of what was measured; above zero when
    /// the model predicts a longer time.
    public double relativeError(ServiceTimes times) {
        return times.serviceSeconds(installedFilters, replicationGrade) / serviceSeconds - 1;
    }
}
