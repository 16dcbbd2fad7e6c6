package winnow.loadgen.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinearAxisTest {

    @ParameterizedTest
    @CsvSource({"40, 5, 40", "25, 5, 25", "1, 0.2, 1", "0.93, 0.2, 1", "61000, 10000, 70000"})
    void shouldReachFromZeroToARoundValue(double most, double step, double high) {
        // when
        var axis = LinearAxis.around(DoubleStream.of(most / 3, most).summaryStatistics(), 80, 480);

        // then
        assertThat(axis.step()).isCloseTo(step, within(1e-9));
        assertThat(axis.high()).isCloseTo(high, within(1e-9));
        assertThat(axis.ticks()).hasSize((int) Math.round(high / step) + 1).startsWith(0.0);
        assertThat(axis.pixel(0)).isEqualTo(80);
        assertThat(axis.pixel(high)).isCloseTo(480, within(1e-6));
    }

    @Test
    void shouldKeepWhatIsBeyondItsEndsAtThese() {
        // given: upwards
        var axis = LinearAxis.around(DoubleStream.of(10).summaryStatistics(), 300, 20);

        // then
        assertThat(axis.pixelWithin(-5)).isEqualTo(300);
        assertThat(axis.pixelWithin(11)).isEqualTo(20);
        assertThat(axis.pixelWithin(Double.NaN)).isEqualTo(300);
    }
}
