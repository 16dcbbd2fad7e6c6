package winnow.loadgen.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.stat.descriptive.moment.StandardDeviation;
import org.junit.jupiter.api.Test;

class ServiceTimeFitterTest {

    private static final int[] PAPER_R = {1, 2, 5, 10, 20, 40};
    private static final int[] PAPER_N = {5, 10, 20, 40, 80, 160};
    private static final int[] OUR_R = {0, 1, 2, 5, 10, 20, 40};
    private static final int[] OUR_N = {0, 5, 10, 20, 40, 80, 160};

    @Test
    void shouldFindTheParametersBehindExactTimes() {
        // given
        var observations = grid(OUR_R, OUR_N, PaperTable.PROPERTY, 0, new Random(1));

        // when
        var fit = ServiceTimeFitter.fit(observations);

        // then
        assertThat(fit.times().receiveSeconds()).isCloseTo(4.10e-6, within(1e-12));
        assertThat(fit.times().filterSeconds()).isCloseTo(1.46e-5, within(1e-12));
        assertThat(fit.times().transmitSeconds()).isCloseTo(1.62e-5, within(1e-12));
        assertThat(quality(fit).meanAbsoluteRelativeError()).isCloseTo(0, within(1e-9));
        assertThat(fit.observations()).isEqualTo(49);
    }

    /// The table in section 4.6 of the users' needs: 2 % of noise, relative weights, grid with n =
    /// 0 and r = 0 give relative standard deviations of 2.0, 0.5 and 0.8 %.
    @Test
    void shouldIdentifyEveryParameterFromOurGrid() {
        // given
        var random = new Random(2);

        // when
        var fits =
                IntStream.range(0, 1_000)
                        .mapToObj(_ -> grid(OUR_R, OUR_N, PaperTable.CORRELATION_ID, 0.02, random))
                        .map(ServiceTimeFitter::timesOf)
                        .toList();

        // then
        var truth = PaperTable.CORRELATION_ID;
        assertThat(spread(fits, ServiceTimes::receiveSeconds) / truth.receiveSeconds())
                .isCloseTo(0.020, within(0.003));
        assertThat(spread(fits, ServiceTimes::filterSeconds) / truth.filterSeconds())
                .isCloseTo(0.005, within(0.001));
        assertThat(spread(fits, ServiceTimes::transmitSeconds) / truth.transmitSeconds())
                .isCloseTo(0.008, within(0.001));
    }

    @Test
    void shouldSayThatThePapersGridDoesNotIdentifyTheReceiveTime() {
        // given
        var observations = grid(PAPER_R, PAPER_N, PaperTable.CORRELATION_ID, 0.02, new Random(3));

        // when
        var fit = ServiceTimeFitter.fit(observations);

        // then
        assertThat(quality(fit).receive().containsZero()).isTrue();
        assertThat(quality(fit).filter().containsZero()).isFalse();
        assertThat(Objects.requireNonNull(quality(fit).transmit()).containsZero()).isFalse();
    }

    @Test
    void shouldSayThatFiltersMayCostNothing() {
        // given: an index, where the number of filters does not matter
        var truth = new ServiceTimes(0.5e-6, 0, 0.3e-6);
        var observations = grid(OUR_R, OUR_N, truth, 0.05, new Random(5));

        // when
        var fit = ServiceTimeFitter.fit(observations);

        // then
        assertThat(quality(fit).filter().containsZero()).isTrue();
        assertThat(quality(fit).receive().containsZero()).isFalse();
    }

    @Test
    void shouldNotSayHowWellAFewPointsAreFitted() {
        // given
        var five = grid(OUR_R, OUR_N, PaperTable.PROPERTY, 0.05, new Random(8)).subList(5, 10);
        var six = grid(OUR_R, OUR_N, PaperTable.PROPERTY, 0.05, new Random(8)).subList(5, 11);

        // when
        var fit = ServiceTimeFitter.fit(five);

        // then
        assertThat(fit.quality()).isNull();
        assertThat(fit.observations()).isEqualTo(5);
        assertThat(ServiceTimeFitter.fit(six).quality()).isNotNull();
    }

    @Test
    void shouldTakeTheReadingInTheMiddle() {
        // given: what disturbs a measurement makes it longer by any amount
        var point =
                new Observation(
                        10,
                        1,
                        List.of(
                                new Observation.Reading(3e-6, 1),
                                new Observation.Reading(90e-6, 1),
                                new Observation.Reading(2e-6, 1)));
        var disturbed =
                new Observation(
                        10,
                        1,
                        List.of(
                                new Observation.Reading(2e-6, 1),
                                new Observation.Reading(3e-6, 0.3),
                                new Observation.Reading(4e-6, 0.3)));

        // then
        assertThat(point.serviceSeconds()).isEqualTo(3e-6);
        assertThat(disturbed.serviceSeconds()).isEqualTo(2e-6);
    }

    @Test
    void shouldNotFollowAPointThatIsFarOff() {
        // given
        var observations =
                new ArrayList<>(grid(OUR_R, OUR_N, PaperTable.PROPERTY, 0.01, new Random(9)));
        var off = observations.get(10);
        observations.set(
                10,
                new Observation(
                        off.installedFilters(), off.replicationGrade(), off.serviceSeconds() * 20));

        // when
        var times = ServiceTimeFitter.fit(observations).times();

        // then
        assertThat(times.receiveSeconds()).isCloseTo(4.10e-6, within(0.2e-6));
        assertThat(times.filterSeconds()).isCloseTo(1.46e-5, within(0.02e-5));
        assertThat(times.transmitSeconds()).isCloseTo(1.62e-5, within(0.02e-5));
    }

    @Test
    void shouldSeeThatTheModelBends() {
        // given: exact but for 1 % of scatter; in the second world many copies take longer each
        var random = new Random(10);
        var straight = repeated(PaperTable.PROPERTY, 1, random);
        var bent = repeated(PaperTable.PROPERTY, 1.2, random);

        // when
        var good = quality(ServiceTimeFitter.fit(straight)).lackOfFit();
        var bad = quality(ServiceTimeFitter.fit(bent)).lackOfFit();

        // then
        assertThat(good.pureErrorShare()).isCloseTo(0.01, within(0.003));
        assertThat(good.isSignificant()).isFalse();
        assertThat(bad.isSignificant()).isTrue();
        assertThat(bad.isByGrade()).isTrue();
    }

    @Test
    void shouldSayByHowMuchDisturbancesWidenIntervals() {
        // given: all readings but one count a quarter
        var quiet = grid(OUR_R, OUR_N, PaperTable.PROPERTY, 0.05, new Random(6));
        var disturbed =
                quiet.stream()
                        .map(point ->
                                new Observation(
                                        point.installedFilters(),
                                        point.replicationGrade(),
                                        List.of(
                                                new Observation.Reading(
                                                        point.serviceSeconds(),
                                                        point.equals(quiet.get(20)) ? 1 : 0.25))))
                        .toList();

        // then
        assertThat(quality(ServiceTimeFitter.fit(quiet)).widening()).isEqualTo(1);
        assertThat(quality(ServiceTimeFitter.fit(disturbed)).widening()).isBetween(1.7, 2.0);
    }

    private static List<Observation> repeated(ServiceTimes times, double step, Random random) {
        var observations = new ArrayList<Observation>();
        for (var r : OUR_R) {
            for (var n : OUR_N) {
                var service = times.serviceSeconds(n + r, r) * (r < 10 ? 1 : step);
                var readings =
                        IntStream.range(0, 3)
                                .mapToObj(_ ->
                                        new Observation.Reading(
                                                service * Math.exp(0.01 * random.nextGaussian()),
                                                1))
                                .toList();
                observations.add(new Observation(n + r, r, readings));
            }
        }
        return observations;
    }

    @Test
    void shouldNotSayHowSureACopyIsBelowThreeReplicationGrades() {
        // given: an error that a grade has of its own looks like copies
        var two = grid(new int[] {1, 40}, OUR_N, PaperTable.PROPERTY, 0.02, new Random(8));
        var three = grid(new int[] {1, 10, 40}, OUR_N, PaperTable.PROPERTY, 0.02, new Random(8));

        // then
        assertThat(quality(ServiceTimeFitter.fit(two)).transmit()).isNull();
        assertThat(quality(ServiceTimeFitter.fit(two)).filter()).isNotNull();
        assertThat(quality(ServiceTimeFitter.fit(three)).transmit()).isNotNull();
    }

    @Test
    void shouldSayHowMuchMeasurementsScatterWhateverTheirWeight() {
        // given: the same times, all of a quarter of the weight
        var whole = repeated(PaperTable.PROPERTY, 1, new Random(10));
        var quarter = whole.stream().map(point -> weighted(point, 0.25)).toList();

        // when
        var ofWhole = ServiceTimeFitter.fit(whole);
        var ofQuarter = ServiceTimeFitter.fit(quarter);

        // then
        assertThat(quality(ofQuarter).lackOfFit().pureErrorShare())
                .isCloseTo(quality(ofWhole).lackOfFit().pureErrorShare(), within(1e-9));
        assertThat(ofQuarter.predict(20, 5).orElseThrow().logError())
                .isCloseTo(ofWhole.predict(20, 5).orElseThrow().logError(), within(1e-9));
        assertThat(quality(ofQuarter).widening()).isCloseTo(2, within(1e-9));
    }

    private static Observation weighted(Observation point, double weight) {
        return new Observation(
                point.installedFilters(),
                point.replicationGrade(),
                point.readings().stream()
                        .map(one -> new Observation.Reading(one.serviceSeconds(), weight))
                        .toList());
    }

    @Test
    void shouldRefusePointsThatCannotTellTheParametersApart() {
        // given: one replication grade only
        var observations = grid(new int[] {1}, OUR_N, PaperTable.PROPERTY, 0.02, new Random(7));

        // when
        var identifiable = ServiceTimeFitter.identifiable(observations);

        // then
        assertThat(identifiable).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceTimeFitter.fit(observations))
                .withMessageContaining("cannot tell the three parameters apart");
    }

    private static FitQuality quality(ServiceTimeFit fit) {
        return Objects.requireNonNull(fit.quality());
    }

    private static List<Observation> grid(
            int[] copies, int[] others, ServiceTimes times, double noise, Random random) {
        var observations = new ArrayList<Observation>();
        for (var r : copies) {
            for (var n : others) {
                var service = times.serviceSeconds(n + r, r);
                observations.add(
                        new Observation(
                                n + r, r, service * Math.exp(noise * random.nextGaussian())));
            }
        }
        return observations;
    }

    private static double spread(List<ServiceTimes> fits, ToDoubleFunction<ServiceTimes> value) {
        return new StandardDeviation().evaluate(fits.stream().mapToDouble(value).toArray());
    }
}
