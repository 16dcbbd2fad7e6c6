package winnow.loadgen.report;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.Observation;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimeFitter;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.PointUse;

/// A run and the model fitted to it. Immutable.
///
/// @param fit null where the points cannot tell the parameters apart, as without filters
public record RunAnalysis(Run run, @Nullable ServiceTimeFit fit) {

    /// Fits the points that are there for it.
    public static RunAnalysis of(Run run) {
        var observations =
                run.measurements().stream()
                        .filter(measurement -> measurement.point().use() == PointUse.FIT)
                        .map(Measurement::observation)
                        .toList();
        var meaningful =
                run.header().filter() != FilterKind.NONE
                        && ServiceTimeFitter.identifiable(observations);
        return new RunAnalysis(
                run,
                meaningful ? new ServiceTimeFitter(run.header().seed()).fit(observations) : null);
    }

    /// Points that the fit has not seen.
    public List<Measurement> heldOut() {
        return run.measurements().stream()
                .filter(measurement -> measurement.point().use() == PointUse.HELD_OUT)
                .toList();
    }

    /// The largest |model / measured - 1| over the points that the fit has not seen; empty without
    /// a fit or without such points.
    public OptionalDouble worstPredictionError() {
        var fitted = fit;
        return fitted == null
                ? OptionalDouble.empty()
                : heldOut().stream()
                        .map(Measurement::observation)
                        .mapToDouble(point -> absoluteError(point, fitted.times()))
                        .max();
    }

    /// What the paper found for this kind of filter; null without filters.
    public @Nullable ServiceTimes paper() {
        return switch (run.header().filter()) {
            case NONE -> null;
            case CORRELATION_ID -> PaperTable.CORRELATION_ID;
            case PROPERTY -> PaperTable.PROPERTY;
        };
    }

    private static double absoluteError(Observation point, ServiceTimes times) {
        return Math.abs(point.relativeError(times));
    }
}
