package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NextMessageTest {
    private static final long SOON = TimeUnit.MICROSECONDS.toNanos(29);
    private static final long LATE = TimeUnit.MICROSECONDS.toNanos(30);

    private final NextMessage nextMessage = new NextMessage();

    @Test
    void shouldNotPollWithoutAnAnswer() {
        assertThat(nextMessage.isPolling(0)).isFalse();

        nextMessage.onRead();

        assertThat(nextMessage.isPolling(0)).isFalse();
    }

    @Test
    void shouldPollForAWhileAfterAnAnswer() {
        long now = Long.MAX_VALUE - 10; // The clock may wrap around.

        nextMessage.onAnswer(now);

        assertThat(nextMessage.isPolling(now)).isTrue();
        assertThat(nextMessage.isPolling(now + SOON)).isTrue();
        assertThat(nextMessage.isPolling(now + LATE)).isFalse();
    }

    @Test
    void shouldStopWhenTheNextMessageComesAndPollAgainAfterItsAnswer() {
        nextMessage.onAnswer(0);
        nextMessage.onRead();
        assertThat(nextMessage.isPolling(SOON)).isFalse();

        nextMessage.onAnswer(SOON);

        assertThat(nextMessage.isPolling(SOON)).isTrue();
    }

    @Test
    void shouldPauseWhereTheNextMessageDoesNotComeInTime() {
        nextMessage.onAnswer(0);
        assertThat(nextMessage.isPolling(LATE)).isFalse();

        for (int answer = 1; answer <= 16; answer++) {
            nextMessage.onAnswer(LATE);
            assertThat(nextMessage.isPolling(LATE)).as("answer " + answer).isFalse();
        }
        nextMessage.onAnswer(LATE);

        assertThat(nextMessage.isPolling(LATE)).isTrue();
    }
}
