package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockedTimeTest {
    private final BlockedTime time = new BlockedTime();

    @Test
    void shouldGrowWhileProducersAreBlocked() {
        // when
        time.onBlocked(100);
        time.onBlocked(150);

        // then
        assertThat(time.blocked()).isEqualTo(2);
        assertThat(time.blocks()).isEqualTo(2);
        assertThat(time.nanos(160)).isEqualTo(70);

        // when
        time.onFreed(200);
        time.onFreed(230);

        // then
        assertThat(time.blocked()).isZero();
        assertThat(time.blocks()).isEqualTo(2);
        assertThat(time.nanos(1000)).isEqualTo(180);
    }

    @Test
    void shouldNotGoBackForAReaderWhoseClockWasReadBefore() {
        time.onBlocked(100);
        assertThat(time.nanos(90)).isZero();
    }
}
