package winnow.loadgen.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.Observation;
import winnow.loadgen.model.PaperTable;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimeFitter;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;

/// A run and the model fitted to it. Immutable.
///
/// Only measurements count whose figures may be used ([Run#valid]), each as much as the machine was
/// undisturbed.
///
/// @param fit null where the points cannot tell the parameters apart, as without filters
public record RunAnalysis(Run run, @Nullable ServiceTimeFit fit) {

    /// Fits the points that are there for it.
    public static RunAnalysis of(Run run) {
        var observations = List.copyOf(observations(run, PointUse.FIT).values());
        var meaningful =
                run.isOneLoad()
                        && run.isOfOneTopic()
                        && !run.header().filter().equals(FilterKind.NONE.label())
                        && ServiceTimeFitter.identifiable(observations);
        return new RunAnalysis(
                run,
                meaningful ? ServiceTimeFitter.fit(observations).allowingFor(slowdown(run)) : null);
    }

    private static double slowdown(Run run) {
        return run.medianSlowdown().orElse(0);
    }

    /// B of a load with an interval as wide as those of the parameters; empty without a fit or if
    /// there are too few points.
    Optional<Interval> serviceSeconds(double installedFilters, double replicationGrade) {
        return Optional.ofNullable(fit)
                .flatMap(fitted -> fitted.predict(installedFilters, replicationGrade))
                .map(predicted -> predicted.interval().lowered(slowdown(run)));
    }

    /// The points that the fit has not seen; empty without a fit or without such points.
    List<HeldOut> heldOut() {
        var fitted = fit;
        return fitted == null
                ? List.of()
                : observations(run, PointUse.HELD_OUT).values().stream()
                        .flatMap(point ->
                                fitted.predict(point).stream()
                                        .map(predicted -> new HeldOut(point, predicted)))
                        .toList();
    }

    /// The largest |model / measured - 1| over the points that the fit has not seen; empty without
    /// any.
    public OptionalDouble worstPredictionError() {
        return heldOut().stream().mapToDouble(HeldOut::absoluteError).max();
    }

    /// Number of points that the fit has not seen.
    public int heldOutPoints() {
        return heldOut().size();
    }

    /// Number of them that lie in their 95 % prediction intervals.
    public int coveredPoints() {
        return (int) heldOut().stream().filter(HeldOut::isCovered).count();
    }

    /// Times that the paper found for this kind of filter; null without filters and for others.
    public @Nullable ServiceTimes paper() {
        var simple =
                run.measurements().stream()
                        .map(Measurement::point)
                        .allMatch(point -> point.alternatives() * point.conditions() == 1);
        return switch (simple ? run.header().filter() : "") {
            case "correlation-id" -> PaperTable.CORRELATION_ID;
            case "property" -> PaperTable.PROPERTY;
            default -> null;
        };
    }

    /// The points of one use with what was measured of them, in order.
    static Map<Point, Observation> observations(Run run, PointUse use) {
        var readings =
                run.valid().stream()
                        .filter(measurement -> measurement.point().use() == use)
                        .collect(
                                Collectors.groupingBy(
                                        Measurement::point,
                                        LinkedHashMap::new,
                                        Collectors.mapping(
                                                measurement -> reading(run, measurement),
                                                Collectors.toList())));
        var observations = new LinkedHashMap<Point, Observation>();
        readings.forEach((point, ofPoint) ->
                observations.put(
                        point,
                        new Observation(point.installedFilters(), point.matching(), ofPoint)));
        return observations;
    }

    private static Observation.Reading reading(Run run, Measurement measurement) {
        return new Observation.Reading(
                measurement.serviceSeconds(), run.validity(measurement).disturbance().weight());
    }
}
