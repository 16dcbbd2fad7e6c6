package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.rate.Knee;
import winnow.loadgen.rate.LatencyAim;
import winnow.loadgen.rate.LatencyAim.Percentile;
import winnow.loadgen.rate.LatencyFigures;
import winnow.loadgen.rate.RateResult;

class RateTextTest {

    private static final LatencyAim AIM = new LatencyAim(Percentile.P99, Duration.ofMillis(5));

    @Test
    void shouldTellWhatWentWrong() {
        assertThat(RateText.of(result(100, 2_000, 0, 3)))
                .contains("100 due")
                .contains("3 missing")
                .contains("The broker did not take messages as fast as they were due.");
        assertThat(RateText.of(result(100, 2_000, 1_500, 0)))
                .contains(
                        "VOID: the load generator sent 1 % of the messages more than 1.5 ms late");
        assertThat(RateText.of(result(100, 20_000, 1_500, 0))).doesNotContain("VOID");
    }

    @Test
    void shouldTellHowARateDid() {
        assertThat(RateText.step(result(100, 2_000, 0, 0), AIM)).endsWith("meets it");
        assertThat(RateText.step(result(100, 9_000, 0, 0), AIM)).endsWith("too slow");
        assertThat(RateText.step(result(100, 2_000, 0, 1), AIM)).endsWith("not kept up");
        assertThat(RateText.step(result(100, 2_000, 9_000, 0), AIM)).contains("void: ");
    }

    @Test
    void shouldDrawTheRunsOfARateAsOneMark() {
        // given
        var runs = List.of(result(100, 2_000, 0, 0), result(100, 3_000, 0, 0));
        var knee = new Knee(100, 105, runs);

        // when
        var drawing = ChartSvg.file(RateCharts.rates(runs, AIM), 760, 400);

        // then
        assertThat(drawing).containsOnlyOnce("p99 at 100 a second: 3.000 ms");
        assertThat(RateText.of(knee, AIM, 200))
                .contains("knee: 100 messages a second meet p99 of at most 5.0 ms")
                .contains("50 % of the capacity");
        assertThat(RateText.of(new Knee(0, 1, runs), AIM, 200))
                .contains("no rate is known to meet p99");
    }

    private static RateResult result(double rate, double p99, double lag, long missing) {
        return new RateResult(
                rate,
                rate,
                rate,
                1_000,
                1_000,
                1_000,
                1_000,
                1_000 - missing,
                missing,
                0,
                0,
                "",
                figures(p99),
                figures(0),
                figures(lag),
                List.of());
    }

    private static LatencyFigures figures(double micros) {
        return new LatencyFigures(1_000, micros, micros, micros, micros, micros, micros, micros);
    }
}
