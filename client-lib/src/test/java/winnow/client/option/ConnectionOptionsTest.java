package winnow.client.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.client.transport.endpoint.ConnectionLimits;

class ConnectionOptionsTest {
    private static int maxMessageBytes(String value) {
        return ConnectionOptions.of(
                        ConnectionUrl.parse("winnow://localhost"),
                        Map.of(ClientOption.MAX_MESSAGE_BYTES, value),
                        null)
                .maxMessageBytes();
    }

    @Test
    void shouldTakeMessagesThatArePartsOfOthersWhateverTheLimit() {
        assertThat(maxMessageBytes("1000000")).isEqualTo(ConnectionLimits.LEAST_MESSAGE_BYTES);
        assertThat(maxMessageBytes("2000000")).isEqualTo(2_000_000);
        assertThat(maxMessageBytes("0"))
                .isGreaterThanOrEqualTo(ConnectionLimits.LEAST_MESSAGE_BYTES);
    }
}
