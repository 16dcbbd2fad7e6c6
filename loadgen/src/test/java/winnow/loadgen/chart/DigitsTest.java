package winnow.loadgen.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigitsTest {

    @ParameterizedTest
    @CsvSource({
        "0.00123456, 0.00123",
        "0.5, 0.500",
        "4.4999, 4.50",
        "12.345, 12.3",
        "99.96, 100.0",
        "1234.6, '1,235'",
        "-2.5, -2.50",
        "0, 0"
    })
    void shouldShowThreeDigitsOrAllBeforeThePoint(double value, String text) {
        assertThat(Digits.three(value)).isEqualTo(text);
    }
}
