package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

class CommandRehearsalTest {
    @Test
    void shouldSucceedWithEachCommand(@TempDir Path directory) throws IOException {
        // given
        Path socket = directory.resolve("admin.sock");
        Map<String, String> settings = Map.of("http.socket", socket.toString());
        try (Broker broker =
                new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0)) {
            String url = "http://127.0.0.1:" + broker.httpAddress().getPort();

            // then
            assertThatCode(() -> CommandRehearsal.run(url, socket)).doesNotThrowAnyException();
            assertThatThrownBy(() -> CommandRehearsal.run(url + "/nowhere", Path.of("")))
                    .hasMessageEndingWith("/nowhere: expected exit code 0, found 1");
        }
    }
}
