package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import winnow.loadgen.rate.LatencyFigures;
import winnow.loadgen.rate.RateResult;
import winnow.loadgen.rate.SideFigures;
import winnow.loadgen.rate.SideFigures.Kind;

class SideEffectTest {

    private static final double QUIET_LAG = 100;

    @Test
    void shouldCompareEachRunWithItsPartner() {
        // given a machine that gets slower from pair to pair, and a disturbance that doubles p99
        var alone = List.of(run(1_000, 2, 0), run(1_000, 8, 0), run(1_000, 20, 0));
        var disturbed = List.of(run(500, 4, 10), run(500, 16, 20), run(500, 40, 30));

        // when
        var effect = SideEffect.of(1_000, alone, disturbed);

        // then
        assertThat(effect.pairs()).isEqualTo(3);
        var p99 = Objects.requireNonNull(effect.p99());
        assertThat(p99.ratio().ratio()).isCloseTo(2, within(1e-9));
        assertThat(p99.ratio().low()).isCloseTo(2, within(1e-9));
        assertThat(p99.alone()).isCloseTo(Math.cbrt(2 * 8 * 20) * 1e3, within(1e-6));
        var received = Objects.requireNonNull(effect.received());
        assertThat(received.ratio().ratio()).isCloseTo(0.5, within(1e-9));
        assertThat(effect.beside())
                .containsExactly(new SideFigures(Kind.STORM, 40, 20, 6, "no room"));
        assertThat(effect.text())
                .contains("1,000 messages a second were due; pairs of runs: 3")
                .containsPattern("p99, milliseconds +6.840 +13.680 +2 \\(2 to 2\\)")
                .contains("connections came and went: 20.0 of 40.0 a second, 6 failed: no room");
    }

    @Test
    void shouldLeaveVoidRunsOutWithTheirPartners() {
        // given
        var late = run(1_000, 2, 0, 5_000);

        // when
        var effect = SideEffect.of(1, List.of(late, run(1, 2, 0)), List.of(run(1, 2, 1), late));

        // then
        assertThat(effect.pairs()).isZero();
        assertThat(effect.p99()).isNull();
        assertThat(effect.text()).contains("pairs of runs: 0, 2 more do not count");
    }

    private static RateResult run(double received, double p99Millis, double achieved) {
        return run(received, p99Millis, achieved, QUIET_LAG);
    }

    private static RateResult run(
            double received, double p99Millis, double achieved, double lagMicros) {
        return new RateResult(
                1_000,
                received,
                received,
                1_000,
                1_000,
                1_000,
                1_000,
                1_000,
                0,
                0,
                0,
                "",
                figures(p99Millis * 1e3),
                figures(1),
                figures(lagMicros),
                List.of(new SideFigures(Kind.STORM, 40, achieved, 2, "no room")));
    }

    private static LatencyFigures figures(double micros) {
        return new LatencyFigures(100, micros, micros, micros, micros, micros, micros, micros);
    }
}
