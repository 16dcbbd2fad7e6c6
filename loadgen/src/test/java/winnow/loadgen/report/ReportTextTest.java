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
        assertThat(ReportText.interval(null)).isEqualTo("too few points");
    }
}
