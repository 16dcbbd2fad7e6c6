package winnow.loadgen.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogAxisTest {

    private static LogAxis around(double... values) {
        return LogAxis.around(DoubleStream.of(values).summaryStatistics(), 0, 100);
    }

    @Test
    void shouldReachAllValues() {
        // when
        var axis = around(3, 161);

        // then
        assertThat(axis.low()).isEqualTo(2);
        assertThat(axis.high()).isEqualTo(200);
        assertThat(axis.pixel(2)).isCloseTo(0, within(1e-9));
        assertThat(axis.pixel(20)).isCloseTo(50, within(1e-9));
        assertThat(axis.ticks()).containsExactly(2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0);
    }

    @Test
    void shouldLabelPowersOfTenOfManyDecades() {
        assertThat(around(1, 10_000).ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0, 10_000.0);
    }

    @Test
    void shouldHaveALengthForASingleValue() {
        assertThat(around(10).high()).isGreaterThan(around(10).low());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "0.5, 0.5", "200, 200", "1000, 1 k", "1500000, 1.5 M"})
    void shouldShortenLabels(double value, String label) {
        assertThat(LogAxis.label(value)).isEqualTo(label);
    }
}
