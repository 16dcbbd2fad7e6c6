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
        var fit = new ServiceTimeFitter(1).fit(observations);

        // then
        assertThat(fit.times().receiveSeconds()).isCloseTo(4.10e-6, within(1e-12));
        assertThat(fit.times().filterSeconds()).isCloseTo(1.46e-5, within(1e-12));
        assertThat(fit.times().transmitSeconds()).isCloseTo(1.62e-5, within(1e-12));
        assertThat(quality(fit).r2()).isCloseTo(1, within(1e-12));
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
                        .map(ServiceTimeFitter::solve)
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
        var fit = new ServiceTimeFitter(3).fit(observations);

        // then
        assertThat(quality(fit).receive().containsZero()).isTrue();
        assertThat(quality(fit).filter().containsZero()).isFalse();
        assertThat(quality(fit).transmit().containsZero()).isFalse();
    }

    @Test
    void shouldCoverTheTruthWithItsIntervalsMostOfTheTime() {
        // given
        var random = new Random(4);
        var truth = new ServiceTimes(0.5e-6, 0.05e-6, 0.3e-6);

        // when
        var covered =
                IntStream.range(0, 40)
                        .mapToObj(_ -> grid(OUR_R, OUR_N, truth, 0.05, random))
                        .map(observations -> new ServiceTimeFitter(4).fit(observations))
                        .filter(fit -> quality(fit).filter().low() <= truth.filterSeconds())
                        .filter(fit -> quality(fit).filter().high() >= truth.filterSeconds())
                        .count();

        // then: 38 of 40 are expected of 95 %
        assertThat(covered).isBetween(33L, 40L);
    }

    @Test
    void shouldSayThatFiltersMayCostNothing() {
        // given: an index, where the number of filters does not matter
        var truth = new ServiceTimes(0.5e-6, 0, 0.3e-6);
        var observations = grid(OUR_R, OUR_N, truth, 0.05, new Random(5));

        // when
        var fit = new ServiceTimeFitter(5).fit(observations);

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
        var fit = new ServiceTimeFitter(8).fit(five);

        // then
        assertThat(fit.quality()).isNull();
        assertThat(fit.observations()).isEqualTo(5);
        assertThat(new ServiceTimeFitter(8).fit(six).quality()).isNotNull();
    }

    @Test
    void shouldGiveTheSameIntervalsForTheSameSeed() {
        // given
        var observations = grid(OUR_R, OUR_N, PaperTable.PROPERTY, 0.05, new Random(6));

        // when
        var first = new ServiceTimeFitter(6).fit(observations);
        var second = new ServiceTimeFitter(6).fit(observations);

        // then
        assertThat(second).isEqualTo(first);
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
                .isThrownBy(() -> new ServiceTimeFitter(7).fit(observations))
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
