package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

/// Runs commands against the socket of a broker, and where there is none.
class BrokerAccessTest {
    private final CommandRun ran = new CommandRun();
    private final Path directory;
    private Broker broker;

    BrokerAccessTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings =
                Map.of("http.socket", directory.resolve("admin.sock").toString());
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private int queue(String... arguments) {
        return ran.execute(QueueCommand.commandLine(), arguments);
    }

    @Test
    void shouldUseTheSocketOrTheDirectoryThatIsNamed() {
        // given
        assertThat(queue("create", "orders", "--socket=" + directory)).as(ran.err()).isZero();

        // then
        String file = "--socket=" + directory.resolve("admin.sock");
        assertThat(queue("list", file)).as(ran.err()).isZero();
        assertThat(ran.out()).contains("orders\n");
        assertThat(ran.execute(TopCommand.commandLine(), "--once", "--interval=100ms", file))
                .as(ran.err())
                .isZero();
        assertThat(ran.out()).contains(directory.resolve("admin.sock").toString());
        assertThat(queue("browse", "none", file)).isOne();
        assertThat(ran.err()).contains("there is no queue 'none'");
    }

    @Test
    void shouldRefuseWhatASocketDoesNotNeed() {
        for (String other :
                new String[] {"--url=http://127.0.0.1:1", "--user=ann", "--token-file=token"}) {
            assertThat(queue("list", "--socket=" + directory, other)).isEqualTo(2);
            assertThat(ran.err())
                    .contains(
                            "expected --socket, which needs no credentials, or "
                                    + other.replaceAll("=.*", "")
                                    + " for the HTTP port, found both");
        }
    }

    /// Runs a command where the environment names the socket.
    private int queueWithVariable(String... arguments) {
        CommandLine.IDefaultValueProvider variable =
                one ->
                        one instanceof CommandLine.Model.OptionSpec option
                                        && option.longestName().equals("--socket")
                                ? directory.resolve("admin.sock").toString()
                                : null;
        return ran.execute(QueueCommand.commandLine().setDefaultValueProvider(variable), arguments);
    }

    @Test
    void shouldUseTheSocketOfTheEnvironmentWhereNothingElseIsNamed() {
        assertThat(queueWithVariable("create", "orders")).as(ran.err()).isZero();
        assertThat(queueWithVariable("list")).as(ran.err()).isZero();
        assertThat(ran.out()).contains("orders\n");

        // then options for the port count more
        assertThat(queueWithVariable("list", "--url=http://127.0.0.1:1")).isOne();
        assertThat(ran.err()).contains("cannot connect to http://127.0.0.1:1:");
    }

    @Test
    void shouldSayWhyASocketCannotBeUsed() throws IOException {
        // given
        Path missing = directory.resolve("missing");
        Path left = directory.resolve("left");
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(left));
        }

        // then
        assertThat(queue("list", "--socket=" + missing)).isOne();
        assertThat(ran.err()).contains(missing + ": there is none; is a broker running there?");
        assertThat(queue("list", "--socket=" + left)).isOne();
        assertThat(ran.err()).contains(left + ": no broker listens there");
    }
}
