package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Silent connections take all places of a broker with a small heap.
class CrowdTest {
    private static final int PLACES = 100;
    private static final int CLIENTS = 84;

    @TempDir private Path directory = Path.of("");

    @Test
    void shouldLetEveryClientInBesideSilentConnections() throws Exception {
        // given, with time-outs that play no part
        Map<String, String> settings =
                Map.of(
                        "transport.max-connections", String.valueOf(PLACES),
                        "transport.first-byte-timeout", "60m",
                        "transport.handshake-timeout", "60m");
        try (SmallBroker broker = new SmallBroker(directory.resolve("log"), settings);
                Intruders intruders = new Intruders(broker)) {
            intruders.eachSilent(broker.address(), 4 * PLACES, (_, _) -> {});

            // when
            for (int i = 0; i < CLIENTS; i++) {
                try (RawPeer client = new RawPeer(broker.address())) {
                    // then it is welcomed, or this fails
                    client.greet();
                }
                intruders.open(broker.address());
            }

            assertThat(broker.status("/health/live")).isEqualTo(200);
            assertThat(broker.stop()).as("exit code after SIGTERM").isZero();
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError");
        }
    }
}
