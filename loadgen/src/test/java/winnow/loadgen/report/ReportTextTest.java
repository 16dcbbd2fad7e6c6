package winnow.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.loadgen.model.Interval;

class ReportTextTest {

    @Test
    void shouldShowAParameterWithItsInterval() {
        // given
        var interval = new Interval(1e-9, 3e-9);

        // then
        assertThat(ReportText.fitted(2e-9, interval)).isEqualTo("2.00 ns");
        assertThat(ReportText.interval(interval)).isEqualTo("1.00 to 3.00 ns");
    }

    @Test
    void shouldNotCallAParameterZeroThatNoiseHides() {
        // given
        var interval = new Interval(0, 3e-9);

        // then
        assertThat(ReportText.fitted(0, interval)).isEqualTo("not determined");
        assertThat(ReportText.fitted(2e-9, interval)).isEqualTo("not determined");
        assertThat(ReportText.interval(interval)).isEqualTo("at most 3.00 ns");
        assertThat(ReportText.interval(new Interval(0, 1e-15))).isEqualTo("too short to measure");
    }

    @Test
    void shouldNotCallAParameterZeroThatTooFewPointsTell() {
        assertThat(ReportText.fitted(2e-9, null)).isEqualTo("2.00 ns");
        assertThat(ReportText.fitted(0, null)).isEqualTo("unknown");
        assertThat(ReportText.interval(null)).isEqualTo("unknown");
    }

    @Test
    void shouldNotShowARangeThatSaysNothing() {
        // given
        var wide = new Interval(1e-11, 3e-9);

        // then
        assertThat(ReportText.rates(0.4, 2.34e19)).isEqualTo("not determined");
        assertThat(ReportText.rates(0, Double.POSITIVE_INFINITY)).isEqualTo("not determined");
        assertThat(ReportText.fittedRange(2e-9, wide)).isEqualTo("not determined");
        assertThat(ReportText.fitted(2e-9, wide)).isEqualTo("not determined");
        assertThat(ReportText.interval(wide)).isEqualTo("not determined");
        assertThat(ReportText.interval(new Interval(0, Double.POSITIVE_INFINITY)))
                .isEqualTo("not determined");
        assertThat(ReportText.interval(new Interval(0, Double.NaN))).isEqualTo("not determined");
    }

    @Test
    void shouldShowADashForWhatIsNoNumber() {
        assertThat(ReportText.rate(Double.POSITIVE_INFINITY)).isEqualTo("–");
        assertThat(TimeText.of(Double.NaN)).isEqualTo("–");
        assertThat(TimeText.range(1e-9, Double.POSITIVE_INFINITY)).isEqualTo("1.00 ns to –");
    }

    @Test
    void shouldShowRatesWithThreeDigitsInOneUnit() {
        assertThat(ReportText.rate(1_742)).isEqualTo("1,740/s");
        assertThat(ReportText.rate(12_345_678)).isEqualTo("12.3 M/s");
        assertThat(ReportText.rates(2_101_000, 3_052_000)).isEqualTo("2.10 to 3.05 M/s");
        assertThat(ReportText.rates(700_000, 1_200_000)).isEqualTo("700,000/s to 1.20 M/s");
        assertThat(ReportText.rates(700, 1_200)).isEqualTo("700 to 1,200/s");
    }
}
