package winnow.loadgen.ageing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import winnow.loadgen.ageing.Drift.TimedValue;

class DriftTest {

    private static final double ROUNDS_PER_DAY = 144;

    private final Random random = new Random(410);

    @Test
    void shouldFindTheLossOfThePaper() {
        // given: 30 % of the first throughput, in 28 days, and 5 % of noise
        var readings = readings(28, day -> 1000 * (1 - 0.3 * day / 28), 0.05, 0);

        // when
        var drift = Drift.of("throughput", true, readings).orElseThrow();

        // then: as a share of the mean, which is 850
        assertThat(drift.perDay()).isCloseTo(-0.3 / 28 / 0.85, within(3e-4));
        assertThat(drift.halfWidth()).isPositive().isLessThan(1e-3);
        assertThat(drift.verdict())
                .matches("throughput falls 1\\.\\d % ± 0\\.\\d+ % per day, 30 % after 2\\d days");
        assertThat(drift.isWorseByMoreThan(0.05)).isTrue();
        assertThat(drift.isWorseByMoreThan(0.10)).isFalse();
    }

    @Test
    void shouldSayThatNothingDrifts() {
        // given
        var readings = readings(7, _ -> 2e-7, 0.05, 0);

        // when
        var drift = Drift.of("t_tx", false, readings).orElseThrow();

        // then
        assertThat(drift.verdict()).matches("t_tx: no drift: -?0\\.\\d+ % ± 0\\.\\d+ % per day");
        assertThat(drift.isWorseByMoreThan(0.01)).isFalse();
    }

    @Test
    void shouldSayNothingOfAFewMinutes() {
        // given: 6 rounds of 2 minutes
        var readings = new ArrayList<TimedValue>();
        for (var round = 0; round < 6; round++) {
            readings.add(new TimedValue(round / 4320.0, 1 + 0.05 * random.nextGaussian(), 0));
        }

        // when
        var drift = Drift.of("t_rcv", false, readings).orElseThrow();

        // then
        assertThat(drift.verdict()).isEqualTo("t_rcv: too short to tell: 1.7 minutes");
    }

    @Test
    void shouldFindADriftThatEachRestartCures() {
        // given: 2 % a day, back to the beginning each week
        var readings = new ArrayList<TimedValue>();
        for (var week = 0; week < 4; week++) {
            var first = week * 7;
            readings.addAll(
                    readings(7, day -> 1 + 0.02 * day, 0.02, week).stream()
                            .map(one -> new TimedValue(one.days() + first, one.value(), one.life()))
                            .toList());
        }

        // when
        var drift = Drift.of("t_tx", false, readings).orElseThrow();

        // then
        assertThat(drift.perDay() * drift.mean()).isCloseTo(0.02, within(1e-3));
    }

    @Test
    void shouldBeLessSureWhereErrorsFollowEachOther() {
        // given: the same errors, each alone and each for 12 rounds in a row
        var alone = new ArrayList<TimedValue>();
        var inRows = new ArrayList<TimedValue>();
        var error = 0.0;
        for (var round = 0; round < 1000; round++) {
            error = round % 12 == 0 ? random.nextGaussian() : error;
            alone.add(new TimedValue(round / ROUNDS_PER_DAY, 100 + random.nextGaussian(), 0));
            inRows.add(new TimedValue(round / ROUNDS_PER_DAY, 100 + error, 0));
        }

        // when
        var sure = Drift.of("t_tx", false, alone).orElseThrow();
        var unsure = Drift.of("t_tx", false, inRows).orElseThrow();

        // then
        assertThat(unsure.halfWidth()).isGreaterThan(2 * sure.halfWidth());
    }

    @Test
    void shouldHoldNoDriftInNineteenOfTwentyIntervals() {
        // when
        var held = 0;
        for (var trial = 0; trial < 400; trial++) {
            var drift = Drift.of("t_tx", false, readings(0.5, _ -> 1, 0.1, 0)).orElseThrow();
            held += Math.abs(drift.perDay()) <= drift.halfWidth() ? 1 : 0;
        }

        // then
        assertThat(held / 400.0).isBetween(0.92, 0.99);
    }

    @Test
    void shouldSayNothingOfTooFewRoundsOrOfZero() {
        // given
        var two = List.of(new TimedValue(0, 1, 0), new TimedValue(1, 2, 0));
        var zeros =
                List.of(
                        new TimedValue(0, 0, 0),
                        new TimedValue(1, 0, 0),
                        new TimedValue(2, 0, 0),
                        new TimedValue(3, 0, 0));

        // then
        assertThat(Drift.of("t_tx", false, two)).isEmpty();
        assertThat(Drift.of("t_tx", false, zeros)).isEmpty();
    }

    private List<TimedValue> readings(
            double days, DoubleUnaryOperator level, double noise, int life) {
        var readings = new ArrayList<TimedValue>();
        for (var round = 0; round < days * ROUNDS_PER_DAY; round++) {
            var day = round / ROUNDS_PER_DAY;
            var value = level.applyAsDouble(day) * (1 + noise * random.nextGaussian());
            readings.add(new TimedValue(day, value, life));
        }
        return readings;
    }
}
