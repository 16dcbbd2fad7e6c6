package winnow.loadgen.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.rate.LatencyAim.Percentile;
import winnow.loadgen.run.LoadException;

class KneeSearchTest {

    private static final LatencyAim AIM = new LatencyAim(Percentile.P99, Duration.ofMillis(5));

    @ParameterizedTest
    @ValueSource(doubles = {100, 9_000, 400_000})
    void shouldFindTheRateFromAnySide(double from) throws Exception {
        // given a broker that takes 5 ms at 10,000 a second
        var knee = KneeSearch.search(AIM, from, rate -> result(rate, _ -> rate / 2, true, 0));

        // then
        assertThat(knee.ratePerSecond()).isBetween(9_500.0, 10_000.0);
        assertThat(knee.missedPerSecond()).isBetween(10_000.0, 10_500.0);
        assertThat(knee.runs())
                .filteredOn(run -> run.ratePerSecond() == knee.ratePerSecond())
                .hasSize(3)
                .allMatch(AIM::isMetBy);
    }

    @Test
    void shouldNotBeFooledByOneLuckyRun() throws Exception {
        // given a broker that is quick enough above 1,000 a second in every other run
        var runs = new int[1];
        var knee =
                KneeSearch.search(
                        AIM,
                        400,
                        rate ->
                                result(
                                        rate,
                                        _ -> rate < 1_000 || ++runs[0] % 2 == 1 ? 1_000 : 9_000,
                                        true,
                                        0));

        // then
        assertThat(knee.ratePerSecond()).isBetween(800.0, 1_000.0);
    }

    @Test
    void shouldNotCountARateThatTheBrokerDoesNotKeepUpWith() throws Exception {
        // given
        var knee = KneeSearch.search(AIM, 100, rate -> result(rate, _ -> 1, rate < 3_000, 0));

        // then
        assertThat(knee.ratePerSecond()).isBetween(2_800.0, 3_000.0);
    }

    @Test
    void shouldMakeAVoidRunOnceMore() throws Exception {
        // given a generator that is late in its first run
        var runs = new int[1];
        var knee =
                KneeSearch.search(
                        AIM,
                        1_000,
                        rate -> result(rate, _ -> rate / 2, true, runs[0]++ == 0 ? 50_000 : 0));

        // then
        assertThat(knee.ratePerSecond()).isBetween(9_500.0, 10_000.0);
        assertThat(knee.runs().getFirst().voidReason()).contains("late by itself");
        assertThat(knee.runs().get(1).ratePerSecond()).isEqualTo(1_000);
    }

    @Test
    void shouldSayThatNoRateMeetsTheAim() throws LoadException, InterruptedException {
        // given
        var knee = KneeSearch.search(AIM, 100, rate -> result(rate, _ -> 6_000, true, 0));

        // then
        assertThat(knee.ratePerSecond()).isZero();
        assertThat(knee.runs()).hasSizeLessThan(10);
    }

    private static RateResult result(
            double rate, DoubleUnaryOperator p99Micros, boolean keptUp, double lagMicros) {
        var p99 = p99Micros.applyAsDouble(rate);
        return new RateResult(
                rate,
                rate,
                rate,
                1_000,
                keptUp ? 1_000 : 900,
                1_000,
                1_000,
                1_000,
                0,
                0,
                0,
                "",
                figures(p99),
                figures(0),
                figures(lagMicros),
                List.of());
    }

    private static LatencyFigures figures(double micros) {
        return new LatencyFigures(1_000, micros, micros, micros, micros, micros, micros, micros);
    }
}
