package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "1.234e-9, 1.23 ns",
        "6.25e-8, 62.5 ns",
        "9.994e-7, 999 ns",
        "9.996e-7, 1.00 µs",
        "1.62e-5, 16.2 µs",
        "8.52e-4, 852 µs",
        "1.5, '1,500 ms'"
    })
    void shouldHaveThreeDigits(double seconds, String text) {
        assertThat(TimeText.of(seconds)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1.19e-8, 1.261e-8, 11.9 to 12.6 ns", "9.5e-7, 1.05e-6, 0.950 to 1.05 µs"})
    void shouldHaveOneUnitForARange(double low, double high, String text) {
        assertThat(TimeText.range(low, high)).isEqualTo(text);
    }
}
