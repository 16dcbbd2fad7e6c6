package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.broker.BrokerConfig;

class TransportConfigTest {
    private static TransportConfig config(String key, String value) {
        return BrokerConfig.of(Map.of("transport." + key, value)).transport();
    }

    @Test
    void shouldTakeNoMoreConnectionsThanFitIntoAnEighthOfTheHeap() {
        // given
        long fitting = Runtime.getRuntime().maxMemory() / 8 / (6 * 1024);

        // when
        int most = TransportConfig.DEFAULTS.effectiveMaxConnections();

        // then
        assertThat(most).isEqualTo((int) Math.min(10_000, fitting));
        assertThat(TransportConfig.DEFAULTS.effectiveMaxConnectionsPerAddress())
                .isEqualTo(most - most / 10);
    }

    @Test
    void shouldKeepToTheNumberThatIsSet() {
        assertThat(config("max-connections", "20000").effectiveMaxConnections()).isEqualTo(20_000);
        assertThat(config("max-connections", "20000").effectiveMaxConnectionsPerAddress())
                .isEqualTo(18_000);
        assertThat(config("max-connections-per-address", "7").effectiveMaxConnectionsPerAddress())
                .isEqualTo(7);
    }
}
