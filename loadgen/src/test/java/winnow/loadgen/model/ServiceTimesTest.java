package winnow.loadgen.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ServiceTimesTest {

    @Test
    void shouldReproduceThePapersCorrelationIdFigures() {
        // given
        var times = PaperTable.CORRELATION_ID;

        // when
        var few = times.overallPerSecond(6, 1);
        var many = times.overallPerSecond(161, 1);
        var most = times.overallPerSecond(200, 40);

        // then
        assertThat(times.serviceSeconds(6, 1)).isCloseTo(60.0e-6, within(0.05e-6));
        assertThat(times.serviceSeconds(161, 1)).isCloseTo(1_148.1e-6, within(0.05e-6));
        assertThat(times.serviceSeconds(200, 40)).isCloseTo(2_084.9e-6, within(0.05e-6));
        assertThat(few).isCloseTo(33_349, within(1.0));
        assertThat(many).isCloseTo(1_742, within(1.0));
        assertThat(most).isCloseTo(19_666, within(1.0));
    }

    @Test
    void shouldReproduceThePapersPropertyFigures() {
        // given
        var times = PaperTable.PROPERTY;

        // when
        var few = times.overallPerSecond(6, 1);
        var many = times.overallPerSecond(161, 1);
        var most = times.overallPerSecond(200, 40);

        // then
        assertThat(times.serviceSeconds(6, 1)).isCloseTo(107.9e-6, within(0.05e-6));
        assertThat(times.serviceSeconds(161, 1)).isCloseTo(2_370.9e-6, within(0.05e-6));
        assertThat(times.serviceSeconds(200, 40)).isCloseTo(3_572.1e-6, within(0.05e-6));
        assertThat(few).isCloseTo(18_536, within(1.0));
        assertThat(many).isCloseTo(844, within(1.0));
        assertThat(most).isCloseTo(11_478, within(1.0));
    }
}
