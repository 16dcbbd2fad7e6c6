package winnow.loadgen.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.hipparchus.stat.descriptive.rank.Percentile;

/// Fits [ServiceTimes] to observations.
///
/// Relative weights 1/B, because B spans two decades and its noise is a share of B: with absolute
/// weights 2 % of noise in the longest times drowns t_rcv altogether. Non-negative, because a time
/// is. Intervals by resampling whole observations, which stays honest when the line bends.
///
/// Owned by one thread; the same seed gives the same intervals.
public final class ServiceTimeFitter {

    /// Resamples; the ends of a 95 % interval then rest on 50 of them each.
    private static final int RESAMPLES = 2_000;

    private static final int PARAMETERS = 3;

    /// Points that say how well they are fitted: twice as many as can be fitted exactly.
    static final int TELLING = 2 * PARAMETERS;

    private final Random random;

    public ServiceTimeFitter(long seed) {
        random = new Random(seed);
    }

    /// Whether these points differ enough in n_fltr and r to tell the three parameters apart.
    public static boolean identifiable(List<Observation> observations) {
        return observations.size() >= PARAMETERS && design(observations).determined();
    }

    /// @throws IllegalArgumentException if the points cannot tell the parameters apart
    public ServiceTimeFit fit(List<Observation> observations) {
        if (!identifiable(observations)) {
            throw new IllegalArgumentException(
                    "expected points that differ in both filters and copies, found "
                            + observations.size()
                            + " that cannot tell the three parameters apart");
        }
        var times = solve(observations);
        return new ServiceTimeFit(
                times,
                observations.size() < TELLING ? null : quality(observations, times),
                design(observations).conditionNumber(),
                observations.size());
    }

    private FitQuality quality(List<Observation> observations, ServiceTimes times) {
        var resampled = resample(observations);
        return new FitQuality(
                interval(resampled, ServiceTimes::receiveSeconds),
                interval(resampled, ServiceTimes::filterSeconds),
                interval(resampled, ServiceTimes::transmitSeconds),
                r2(observations, times),
                observations.stream()
                        .mapToDouble(point -> Math.abs(point.relativeError(times)))
                        .average()
                        .orElseThrow());
    }

    /// The parameters alone, without intervals.
    static ServiceTimes solve(List<Observation> observations) {
        // Each row is divided by its B, so the target is 1 everywhere.
        var target = new double[observations.size()];
        Arrays.fill(target, 1);
        var solution = design(observations).solve(target);
        return new ServiceTimes(solution[0], solution[1], solution[2]);
    }

    private static NonNegativeLeastSquares design(List<Observation> observations) {
        var rows = new double[observations.size()][];
        for (var i = 0; i < rows.length; i++) {
            var point = observations.get(i);
            rows[i] = point.factors();
            for (var column = 0; column < rows[i].length; column++) {
                rows[i][column] /= point.serviceSeconds();
            }
        }
        return new NonNegativeLeastSquares(rows);
    }

    private List<ServiceTimes> resample(List<Observation> observations) {
        var results = new ArrayList<ServiceTimes>(RESAMPLES);
        while (results.size() < RESAMPLES) {
            var drawn = new ArrayList<Observation>(observations.size());
            for (var i = 0; i < observations.size(); i++) {
                drawn.add(observations.get(random.nextInt(observations.size())));
            }
            // A draw of few distinct points says nothing about the parameters and is drawn again.
            if (identifiable(drawn)) {
                results.add(solve(drawn));
            }
        }
        return results;
    }

    private static Interval interval(
            List<ServiceTimes> resampled, ToDoubleFunction<ServiceTimes> parameter) {
        var percentile = new Percentile();
        percentile.setData(resampled.stream().mapToDouble(parameter).toArray());
        return new Interval(percentile.evaluate(2.5), percentile.evaluate(97.5));
    }

    private static double r2(List<Observation> observations, ServiceTimes times) {
        var mean =
                observations.stream()
                        .mapToDouble(Observation::serviceSeconds)
                        .average()
                        .orElseThrow();
        var unexplained = 0.0;
        var total = 0.0;
        for (var point : observations) {
            var residual = point.relativeError(times) * point.serviceSeconds();
            unexplained += residual * residual;
            total += Math.pow(point.serviceSeconds() - mean, 2);
        }
        return 1 - unexplained / total;
    }
}
