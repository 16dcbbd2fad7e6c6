package winnow.loadgen.model;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Fits [ServiceTimes] to observations: minimises the squares of log(model / measured), parameters
/// not below zero.
///
/// Logarithms, because B spans two decades and its noise is a share of B: with absolute errors 2 %
/// of noise in the longest times drowns t_rcv altogether, and errors relative to the measured B
/// favour points that came out too long. Points far off the others count less (Huber), and so do
/// those that were disturbed ([Observation.Reading#weight]).
///
/// Stateless.
public final class ServiceTimeFitter {

    private static final int PARAMETERS = 3;

    /// Points that say how well they are fitted: twice as many as can be fitted exactly.
    static final int TELLING = 2 * PARAMETERS;

    /// Replication grades from which on an error of each shows: two are fitted exactly by t_tx.
    private static final int GRADES = 3;

    /// Of Gauss and Newton; ten are usual.
    private static final int MOST_STEPS = 100;

    private static final double CONVERGED = 1e-10;

    private ServiceTimeFitter() {}

    /// True if these points differ enough in n_fltr and r to tell the three parameters apart.
    public static boolean identifiable(List<Observation> observations) {
        return observations.size() >= PARAMETERS
                && Linearization.relative(observations).squares().determined();
    }

    /// @throws IllegalArgumentException if the points cannot tell the parameters apart
    public static ServiceTimeFit fit(List<Observation> observations) {
        if (!identifiable(observations)) {
            throw new IllegalArgumentException(
                    "expected points that differ in both filters and copies, found "
                            + observations.size()
                            + " that cannot tell the three parameters apart");
        }
        var end = solve(observations);
        var times = times(end.parameters());
        var condition = end.squares().conditionNumber();
        if (observations.size() < TELLING) {
            return new ServiceTimeFit(times, null, condition, observations.size(), null);
        }
        var analysis = new ResidualAnalysis(observations, end);
        var errors = analysis.errors();
        return new ServiceTimeFit(
                times,
                quality(observations, end, analysis, errors),
                condition,
                observations.size(),
                errors);
    }

    /// The parameters alone, without intervals.
    static ServiceTimes timesOf(List<Observation> observations) {
        return times(solve(observations).parameters());
    }

    private static Linearization solve(List<Observation> observations) {
        var current = Linearization.relative(observations);
        current = current.at(current.solve());
        for (var step = 0; step < MOST_STEPS; step++) {
            var next = current.solve();
            var moved = distance(next, current.parameters());
            current = current.at(next);
            if (moved < CONVERGED) {
                break;
            }
        }
        return current;
    }

    /// Of the larger steps relative to the parameters.
    private static double distance(double[] next, double[] before) {
        var size = Arrays.stream(before).max().orElseThrow();
        var moved = 0.0;
        for (var i = 0; i < next.length; i++) {
            moved = Math.max(moved, Math.abs(next[i] - before[i]) / size);
        }
        return moved;
    }

    private static FitQuality quality(
            List<Observation> observations,
            Linearization end,
            ResidualAnalysis analysis,
            ParameterErrors errors) {
        var times = times(end.parameters());
        var free = end.unconstrained();
        return new FitQuality(
                interval(0, times, ServiceTimes::receiveSeconds, free, errors),
                interval(1, times, ServiceTimes::filterSeconds, free, errors),
                grades(observations) < GRADES
                        ? null
                        : interval(2, times, ServiceTimes::transmitSeconds, free, errors),
                observations.stream()
                        .mapToDouble(point -> Math.abs(point.relativeError(times)))
                        .average()
                        .orElseThrow(),
                analysis.lackOfFit(),
                analysis.widening());
    }

    private static long grades(List<Observation> observations) {
        return observations.stream().mapToDouble(Observation::replicationGrade).distinct().count();
    }

    /// Around the parameter, or where it would be negative, around what it would be.
    private static Interval interval(
            int parameter,
            ServiceTimes times,
            ToDoubleFunction<ServiceTimes> value,
            double[] unconstrained,
            ParameterErrors errors) {
        var fitted = value.applyAsDouble(times);
        var centre = fitted > 0 ? fitted : Math.min(0, unconstrained[parameter]);
        var half = errors.halfWidth(parameter);
        return new Interval(Math.max(0, centre - half), Math.max(0, centre + half));
    }

    private static ServiceTimes times(double[] parameters) {
        return new ServiceTimes(parameters[0], parameters[1], parameters[2]);
    }
}
