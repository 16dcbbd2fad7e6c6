package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogMeterTest {
    private final LogMeter meter = new LogMeter();

    @Test
    void shouldTellForHowLongNothingWasCompleted() {
        // given
        assertThat(meter.stalledNanos(50)).isZero();
        meter.onAppended(10, 100);
        meter.onAppended(10, 150);

        // then
        assertThat(meter.stalledNanos(400)).isEqualTo(300);
        meter.onCompleted(500);
        assertThat(meter.stalledNanos(600)).isEqualTo(100);
        meter.onCompleted(700);
        assertThat(meter.stalledNanos(9000)).isZero();
        meter.onAppended(10, 10_000);
        assertThat(meter.stalledNanos(10_001)).isEqualTo(1);
        assertThat(meter.entries()).isEqualTo(3);
    }
}
