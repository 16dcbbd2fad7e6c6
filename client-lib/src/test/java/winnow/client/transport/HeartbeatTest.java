package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// On a clock of its own.
class HeartbeatTest {
    private static final int INTERVAL_MILLIS = 1000;
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);

    /// Begins where the clock is about to pass the largest number.
    private static final long START = Long.MAX_VALUE - INTERVAL;

    private final Heartbeat heartbeat = new Heartbeat(INTERVAL_MILLIS, START);
    private long now = START;
    private long lastWrite = START;

    private Heartbeat.Act next(boolean idle) {
        now += heartbeat.untilNextNanos(now);
        return heartbeat.due(now, lastWrite, idle);
    }

    private long giveUpTime() {
        while (next(false) != Heartbeat.Act.GIVE_UP) {
            assertThat(now - START).isLessThan(100 * INTERVAL);
        }
        return now;
    }

    @Test
    void shouldGiveUpAfterTwoIntervals() {
        for (long last = 0; last < INTERVAL; last += INTERVAL / 10) {
            // given
            now = START;
            heartbeat.onRead(START + last);

            // when, then
            assertThat(giveUpTime() - START - last)
                    .isBetween(2 * INTERVAL, 2 * INTERVAL + TimeUnit.MILLISECONDS.toNanos(2));
            assertThat(heartbeat.silence(now))
                    .hasMessageContaining("every 1000 ms, heard nothing for 200");
        }
    }

    @Test
    void shouldNotGiveUpWhileSomethingComes() {
        // given
        long lastRead = START;

        // when, then
        while (now - START < 100 * INTERVAL) {
            assertThat(next(false)).isEqualTo(Heartbeat.Act.NOTHING);
            if (now - lastRead >= INTERVAL * 3 / 2) {
                lastRead = now;
                heartbeat.onRead(now);
            }
        }
    }

    @Test
    void shouldSpeakBeforeAnIntervalIsOver() {
        // given
        List<Long> gaps = new ArrayList<>();

        // when
        while (now - START < 100 * INTERVAL) {
            if (next(true) == Heartbeat.Act.SPEAK) {
                gaps.add(now - lastWrite);
                // A write at a time of its own, between the looks.
                lastWrite = now + gaps.size() * INTERVAL / 256;
            }
            heartbeat.onRead(now);
        }

        // then
        assertThat(gaps).isNotEmpty().allMatch(gap -> gap <= INTERVAL);
    }

    @Test
    void shouldNotSpeakWhileBytesWaitForTheSocket() {
        // when, then
        while (now - START < 10 * INTERVAL) {
            assertThat(next(false)).isEqualTo(Heartbeat.Act.NOTHING);
            heartbeat.onRead(now);
        }
    }

    @Test
    void shouldReadFirstWhenTheProcessStoodStill() {
        // given
        now += 50 * INTERVAL;

        // when
        Heartbeat.Act first = heartbeat.due(now, now, true);
        heartbeat.onRead(now);
        Heartbeat.Act second = next(false);

        // then
        assertThat(first).isEqualTo(Heartbeat.Act.NOTHING);
        assertThat(second).isEqualTo(Heartbeat.Act.NOTHING);
        assertThat(heartbeat.untilNextNanos(now)).isGreaterThan(INTERVAL / 4);
    }
}
