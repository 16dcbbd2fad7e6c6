package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestQueues;

/// Closes connections to a real broker, as operators do.
class ConnectionCommandTest {
    private final CommandRun ran = new CommandRun();
    private Broker broker;
    private TestQueues client;

    @BeforeEach
    void start() throws IOException {
        broker = new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0);
        client = new TestQueues(broker, "anna");
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private int connection(String... arguments) {
        return ran.execute(ConnectionCommand.commandLine(), arguments);
    }

    private String url() {
        return "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    @Test
    void shouldListAndCloseConnections() throws IOException {
        // given
        assertThat(connection("list", url(), "--output=json")).as(ran.err()).isZero();
        String id = SelectorCommand.JSON.readTree(ran.out()).get(0).path("id").asText();
        assertThat(connection("list", url())).isZero();
        assertThat(ran.out()).contains(id + " ").contains("127.0.0.1, -, anna, -, -");

        // when
        assertThat(connection("close", id, "--yes", url())).as(ran.err()).isZero();

        // then
        assertThat(ran.out()).isEqualTo("closed: 127.0.0.1, -, anna, -, -\n");
        assertThat(connection("list", url())).isZero();
        assertThat(ran.out()).isEqualTo("no client is connected\n");
        assertThat(connection("close", id, "--yes", url())).isOne();
        assertThat(ran.err()).contains("there is no connection " + id);
        assertThat(connection("close", "xyz", "--yes", url())).isOne();
        assertThat(ran.err()).contains("connection: expected up to 16 hexadecimal digits");
        assertThat(connection()).isEqualTo(2);
    }
}
