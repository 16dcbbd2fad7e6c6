package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopTicksTest {
    private long nowNanos;

    @Test
    void shouldNameTheLoopThatHasStopped() {
        // given
        LoopTicks ticks = new LoopTicks(2, () -> nowNanos);

        // when
        nowNanos = TimeUnit.SECONDS.toNanos(3);
        ticks.onTick(0);

        // then
        assertThat(ticks.stalled(Duration.ofSeconds(3))).isEmpty();
        assertThat(ticks.stalled(Duration.ofSeconds(2)))
                .isEqualTo("event loop 1 has not run for 3000 ms");
    }
}
