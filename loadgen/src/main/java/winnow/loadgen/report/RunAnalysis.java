package winnow.loadgen.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
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
/// Only points count whose figures may be used ([Run#valid]), and each counts once: where it was
/// measured several times, by the median of its service time, because what disturbs a measurement
/// (another process, a collection) disturbs it in one direction and by any amount. Of an even
/// number of times it is the shorter of the two in the middle: their mean would let one disturbed
/// measurement out of two through.
///
/// @param fit null where the points cannot tell the parameters apart, as without filters
public record RunAnalysis(Run run, @Nullable ServiceTimeFit fit) {

    /// Fits the points that are there for it.
    public static RunAnalysis of(Run run) {
        var observations = medians(run, PointUse.FIT);
        var meaningful =
                run.header().filter() != FilterKind.NONE
                        && ServiceTimeFitter.identifiable(observations);
        return new RunAnalysis(
                run,
                meaningful ? new ServiceTimeFitter(run.header().seed()).fit(observations) : null);
    }

    /// The largest |model / measured - 1| over the points that the fit has not seen; empty without
    /// a fit or without such points.
    public OptionalDouble worstPredictionError() {
        var fitted = fit;
        return fitted == null
                ? OptionalDouble.empty()
                : medians(run, PointUse.HELD_OUT).stream()
                        .mapToDouble(point -> absoluteError(point, fitted.times()))
                        .max();
    }

    /// What the paper found for this kind of filter; null without filters.
    public @Nullable ServiceTimes paper() {
        return switch (run.header().filter()) {
            case NONE, AND_FIRST, AND_MIDDLE, AND_LAST, OR -> null;
            case CORRELATION_ID -> PaperTable.CORRELATION_ID;
            case PROPERTY -> PaperTable.PROPERTY;
        };
    }

    private static List<Observation> medians(Run run, PointUse use) {
        var byPoint =
                run.valid().stream()
                        .filter(measurement -> measurement.point().use() == use)
                        .collect(
                                Collectors.groupingBy(
                                        Measurement::point,
                                        LinkedHashMap::new,
                                        Collectors.mapping(
                                                Measurement::observation, Collectors.toList())));
        return byPoint.values().stream().map(RunAnalysis::median).toList();
    }

    private static Observation median(List<Observation> ofOnePoint) {
        var first = ofOnePoint.getFirst();
        var times = ofOnePoint.stream().mapToDouble(Observation::serviceSeconds).sorted().toArray();
        return new Observation(
                first.installedFilters(), first.replicationGrade(), times[(times.length - 1) / 2]);
    }

    private static double absoluteError(Observation point, ServiceTimes times) {
        return Math.abs(point.relativeError(times));
    }
}
