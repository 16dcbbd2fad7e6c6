package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

class CommandRehearsalTest {
    @Test
    void shouldSucceedWithEachCommand() throws IOException {
        // given
        try (Broker broker =
                new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0)) {
            String url = "http://127.0.0.1:" + broker.httpAddress().getPort();

            // then
            assertThatCode(() -> CommandRehearsal.run(url)).doesNotThrowAnyException();
            assertThatThrownBy(() -> CommandRehearsal.run(url + "/nowhere"))
                    .hasMessageEndingWith("/nowhere: expected exit code 0, found 1");
        }
    }
}
