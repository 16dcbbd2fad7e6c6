package winnow.loadgen.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;
import winnow.loadgen.workload.Scenario;
import winnow.loadgen.workload.Scenarios;

/// Fits simulated points whose parameters are known, many times, and counts how often the intervals
/// hold the truth.
class IntervalSimulationTest {

    private static final int FITS = 400;
    private static final int REPETITIONS = 3;

    /// 19 of 20 samples of 400 give a coverage within this of the true one.
    private static final double SAMPLING = 0.02;

    private static final Scenario SCENARIO = Scenarios.named("4.9-property");
    private static final ServiceTimes LINEAR = new ServiceTimes(0.065e-6, 0.004e-6, 0.055e-6);
    private static final ServiceTimes INDEXED = new ServiceTimes(0.085e-6, 0, 0.057e-6);

    private static final List<Parameter> PARAMETERS =
            List.of(
                    new Parameter("t_rcv", ServiceTimes::receiveSeconds, FitQuality::receive),
                    new Parameter("t_fltr", ServiceTimes::filterSeconds, FitQuality::filter),
                    new Parameter(
                            "t_tx",
                            ServiceTimes::transmitSeconds,
                            quality -> Objects.requireNonNull(quality.transmit())));

    private record Parameter(
            String name,
            ToDoubleFunction<ServiceTimes> value,
            Function<FitQuality, Interval> quality) {

        private Interval interval(ServiceTimeFit fit) {
            return quality.apply(Objects.requireNonNull(fit.quality()));
        }
    }

    /// Standard deviations of an error that all repetitions of a point share and of one that all
    /// points of a replication grade share, as batches of copies give; share of the measurements
    /// that took 1.1 to 1.8 times as long; the least weight of measurements that all scatter as
    /// their weights say, up to twice that.
    enum World {
        QUIET(0.03, 0, 0, 1),
        DISTURBED(0.03, 0, 0.1, 1),
        BATCHES(0.01, 0.05, 0, 1),
        ALL_DISTURBED(0.01, 0, 0, 0.2);

        private final double point;
        private final double grade;
        private final double disturbed;
        private final double leastWeight;

        World(double point, double grade, double disturbed, double leastWeight) {
            this.leastWeight = leastWeight;
            this.point = point;
            this.grade = grade;
            this.disturbed = disturbed;
        }

        /// @param grades errors of the replication grades so far
        private Observation observation(
                Point load, ServiceTimes truth, Map<Integer, Double> grades, Random random) {
            var ofGrade =
                    grades.computeIfAbsent(load.matching(), _ -> grade * random.nextGaussian());
            var seconds =
                    truth.serviceSeconds(load.installedFilters(), load.matching())
                            * Math.exp(ofGrade + point * random.nextGaussian());
            var readings = new ArrayList<Observation.Reading>();
            for (var repetition = 0; repetition < REPETITIONS; repetition++) {
                readings.add(reading(seconds, random));
            }
            return new Observation(load.installedFilters(), load.matching(), readings);
        }

        /// The calibration sees a disturbance, but not exactly how much it costs.
        private Observation.Reading reading(double seconds, Random random) {
            if (leastWeight < 1) {
                var weight = leastWeight * (1 + random.nextDouble());
                return new Observation.Reading(
                        seconds * Math.exp(0.05 / Math.sqrt(weight) * random.nextGaussian()),
                        weight);
            }
            var noise = Math.exp(0.05 * random.nextGaussian());
            if (random.nextDouble() >= disturbed) {
                return new Observation.Reading(seconds * noise, 1);
            }
            var slowdown = 1.1 + 0.7 * random.nextDouble();
            var seen = 1 + (slowdown - 1) * (0.5 + random.nextDouble());
            return new Observation.Reading(
                    seconds * noise * slowdown, 1 / (1 + Math.pow((seen - 1) / 0.2, 2)));
        }
    }

    @ParameterizedTest
    @EnumSource(World.class)
    void shouldCoverTheTruthOnTheQuickGrid(World world) {
        check(world, Extent.QUICK, LINEAR);
        check(world, Extent.QUICK, INDEXED);
    }

    @ParameterizedTest
    @EnumSource(World.class)
    void shouldCoverTheTruthOnTheFullGrid(World world) {
        check(world, Extent.FULL, LINEAR);
        check(world, Extent.FULL, INDEXED);
    }

    private static void check(World world, Extent extent, ServiceTimes truth) {
        var random = new Random(11);
        var fits = new ArrayList<ServiceTimeFit>();
        var unseen = 0;
        var predicted = 0;
        for (var fit = 0; fit < FITS; fit++) {
            var grades = new HashMap<Integer, Double>();
            var fitted = new ArrayList<Observation>();
            var heldOut = new ArrayList<Observation>();
            for (var load : SCENARIO.points(extent)) {
                (load.use() == PointUse.FIT ? fitted : heldOut)
                        .add(world.observation(load, truth, grades, random));
            }
            var result = ServiceTimeFitter.fit(fitted);
            fits.add(result);
            unseen += heldOut.size();
            predicted += (int) heldOut.stream().filter(point -> holds(result, point)).count();
        }
        PARAMETERS.forEach(parameter -> check(parameter, fits, truth, world));
        assertThat((double) predicted / unseen)
                .as("coverage of unseen points of %s, %s", world, truth)
                .isBetween(0.93 - SAMPLING, 0.97 + SAMPLING);
    }

    private static boolean holds(ServiceTimeFit fit, Observation point) {
        return fit.predict(point).orElseThrow().interval().contains(point.serviceSeconds());
    }

    private static void check(
            Parameter parameter, List<ServiceTimeFit> fits, ServiceTimes truth, World world) {
        var right = parameter.value().applyAsDouble(truth);
        var covered = fits.stream().filter(fit -> parameter.interval(fit).contains(right)).count();
        var mean =
                fits.stream()
                        .mapToDouble(fit -> parameter.value().applyAsDouble(fit.times()))
                        .average()
                        .orElseThrow();
        assertThat((mean - right) / (right > 0 ? right : truth.receiveSeconds()))
                .as("bias of %s of %s, %s", parameter.name(), world, truth)
                .isBetween(-0.03, 0.03);
        // An interval that ends at zero holds a truth of zero more often.
        assertThat((double) covered / FITS)
                .as("coverage of %s of %s, %s", parameter.name(), world, truth)
                .isBetween(0.93 - SAMPLING, right > 0 ? 0.97 + SAMPLING : 1);
    }
}
