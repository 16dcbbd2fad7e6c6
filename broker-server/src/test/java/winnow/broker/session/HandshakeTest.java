package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest {
    @ParameterizedTest
    @CsvSource({
        "PT15S, 4000, 4000",
        "PT15S, 20000, 15000",
        "PT15S, 500, 1000",
        "PT0.2S, 0, 1000",
        "PT15S, 0, 15000",
        "PT0S, 4000, 4000",
        "PT0S, 0, 0"
    })
    void shouldTakeTheShorterWishButNoneBelowASecond(Duration ours, int theirs, int interval) {
        assertThat(Handshake.heartbeatMillis(ours, theirs)).isEqualTo(interval);
    }
}
