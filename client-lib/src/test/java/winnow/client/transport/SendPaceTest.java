package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendPaceTest {
    private final SendPace pace = new SendPace();

    private void write(int publishes, long nanosSinceWrite) {
        for (int i = 0; i < publishes; i++) {
            pace.onPublish();
        }
        pace.onWrite(nanosSinceWrite);
    }

    @Test
    void shouldBecomeBusyWhenAPublishFollowsAWriteClosely() {
        // given
        assertThat(pace.isQuiet()).isTrue();
        assertThat(pace.isQuietAfter(SendPace.BUSY_NANOS)).isTrue();

        // when, then
        assertThat(pace.isQuietAfter(SendPace.BUSY_NANOS - 1)).isFalse();
        assertThat(pace.isQuiet()).isFalse();
    }

    @Test
    void shouldBecomeQuietAfterSingleWritesFarApart() {
        // given
        pace.isQuietAfter(0);

        // when
        for (int i = 1; i < SendPace.QUIET_WRITES; i++) {
            write(1, SendPace.QUIET_NANOS);
        }
        write(0, 0);
        assertThat(pace.isQuiet()).isFalse();
        write(1, SendPace.QUIET_NANOS);

        // then
        assertThat(pace.isQuiet()).isTrue();
    }

    @Test
    void shouldStayBusyWhileWritesAreCloseOrCarrySeveral() {
        // given
        pace.isQuietAfter(0);

        // when
        for (int i = 0; i < 10 * SendPace.QUIET_WRITES; i++) {
            boolean close = i % 2 == 0;
            write(close ? 1 : 2, close ? SendPace.QUIET_NANOS - 1 : SendPace.QUIET_NANOS);
            write(1, SendPace.QUIET_NANOS);
        }

        // then
        assertThat(pace.isQuiet()).isFalse();
    }
}
