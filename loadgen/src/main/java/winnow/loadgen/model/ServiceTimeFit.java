package winnow.loadgen.model;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The model fitted to measurements, and how well. Immutable.
///
/// @param times the fitted parameters
/// @param quality null where there are too few points to tell: three parameters go through three
///   points exactly, whatever these are
/// @param conditionNumber of the weighted design, columns scaled to unit length: how much noise in
///   B can grow on its way into a parameter
/// @param observations how many points were fitted
/// @param errors of the parameters, for predictions; null with the quality
public record ServiceTimeFit(
        ServiceTimes times,
        @Nullable FitQuality quality,
        double conditionNumber,
        int observations,
        @Nullable ParameterErrors errors) {

    /// The same for a machine on which all points may have been slower than on a quiet one by a
    /// share, 0.1 for a tenth: residuals do not show that, so the lower ends of the intervals allow
    /// for it.
    public ServiceTimeFit allowingFor(double slowdown) {
        return new ServiceTimeFit(
                times,
                quality == null ? null : quality.lowered(slowdown),
                conditionNumber,
                observations,
                errors);
    }

    /// B of a load, inside or outside of what was measured, at a point that is disturbed as the
    /// fitted ones are on average; empty if there are too few points to say how sure it is.
    public Optional<Prediction> predict(double installedFilters, double replicationGrade) {
        return Optional.ofNullable(errors)
                .map(known -> known.predict(times, installedFilters, replicationGrade));
    }

    /// The same of a point that was measured, whose weight counts.
    public Optional<Prediction> predict(Observation point) {
        return Optional.ofNullable(errors).map(known -> known.predict(times, point));
    }
}
