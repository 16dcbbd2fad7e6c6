package winnow.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MessageTimesTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final MessageTimes times = new MessageTimes();

    @Test
    void shouldKnowNoAgeBeforeAMessageCame() {
        assertThat(times.ageNanos(1, MILLI)).isZero();
    }

    @Test
    void shouldTellTheAgeOfLateMessagesToAMillisecond() {
        // given 10 messages a millisecond
        for (int i = 0; i < 100_000; i++) {
            times.onMessages(i + 1, i * MILLI / 10);
        }

        // then
        long now = 100_000 * MILLI / 10;
        for (int back = 0; back < 100; back++) {
            long age = back * MILLI / 10;
            assertThat(times.ageNanos(100_000 - back, now))
                    .as("%d back", back)
                    .isBetween(age, age + 2 * MILLI);
        }
    }

    @Test
    void shouldTellTheAgeOfOldMessagesToAnEighth() {
        // given an hour of a message a millisecond
        int messages = 3_600_000;
        for (int i = 0; i < messages; i++) {
            times.onMessages(i + 1, i * MILLI);
        }

        // then
        long now = messages * MILLI;
        for (int back :
                new int[] {100, 1_000, 2_500, 10_000, 33_333, 100_000, 1_000_000, 3_000_000}) {
            long age = back * MILLI;
            assertThat(times.ageNanos(messages - back, now))
                    .as("%d back", back)
                    .isBetween(age, age + age / 8 + 2 * MILLI);
        }
    }

    @Test
    void shouldKnowTheFirstTimeOfAMessageThatComesAgain() {
        // given
        times.onMessages(1, 0);
        times.onMessages(2, 10 * MILLI);
        times.onMessages(3, 20 * MILLI);

        // when
        times.onMessages(2, 30 * MILLI);
        times.onMessages(4, 40 * MILLI);

        // then
        assertThat(times.ageNanos(2, 50 * MILLI)).isEqualTo(40 * MILLI);
        assertThat(times.ageNanos(3, 50 * MILLI)).isEqualTo(30 * MILLI);
        assertThat(times.ageNanos(4, 50 * MILLI)).isEqualTo(10 * MILLI);
    }

    @Test
    void shouldTellTheAgeOfAMessageAfterAPause() {
        // given
        times.onMessages(1, 0);
        times.onMessages(5, 1_000 * MILLI);

        // then
        assertThat(times.ageNanos(4, 1_001 * MILLI)).isEqualTo(1_001 * MILLI);
        assertThat(times.ageNanos(5, 1_001 * MILLI)).isEqualTo(MILLI);
    }
}
