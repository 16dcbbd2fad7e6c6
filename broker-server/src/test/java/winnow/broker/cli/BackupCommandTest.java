package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestQueues;

/// Lets a real broker make backups, and looks at them as operators do.
class BackupCommandTest {
    @TempDir private Path data = Path.of("");

    private final CommandRun ran = new CommandRun();
    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        broker =
                new Broker(
                        BrokerConfig.of(
                                Map.of("storage.directory", data.resolve("store").toString())),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0);
        try (TestQueues client = new TestQueues(broker, "anna")) {
            client.send("orders", "first");
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private int run(CommandLine line, String... arguments) {
        return ran.execute(line, arguments);
    }

    private int backup(String... arguments) {
        return run(BackupCommand.commandLine(), arguments);
    }

    private String url() {
        return "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    @Test
    void shouldMakeABackupThatIsSoundAndCanBeRestored() {
        // when
        assertThat(backup("make", "nightly", url())).as(ran.err()).isZero();

        // then
        Path directory = data.resolve("backups").resolve("nightly");
        assertThat(ran.out()).isEqualTo("made " + directory + "\n");
        assertThat(run(StoreCommand.commandLine(), "verify", "--data", directory.toString()))
                .as(ran.out() + ran.err())
                .isZero();
        String other = data.resolve("other").toString();
        assertThat(
                        run(
                                StoreCommand.commandLine(),
                                "restore",
                                directory.toString(),
                                "--data",
                                other))
                .as(ran.out() + ran.err())
                .isZero();
        assertThat(run(StoreCommand.commandLine(), "stats", "--data", other)).isZero();
        assertThat(ran.out()).contains("orders");
    }

    @Test
    void shouldListAndDeleteBackups() throws IOException {
        // given
        assertThat(backup("list", url())).isZero();
        assertThat(ran.out()).isEqualTo("none\n");
        assertThat(backup("make", url(), "--output=json")).as(ran.err()).isZero();
        String name = SelectorCommand.JSON.readTree(ran.out()).path("name").asText();
        Path directory = data.resolve("backups").resolve(name);

        // then
        assertThat(backup("list", url())).isZero();
        assertThat(ran.out())
                .containsPattern("NAME +MADE +BYTES +DIRECTORY\n")
                .containsPattern("\\dZ +[0-9,]+  " + directory + "\n");
        assertThat(backup("list", url(), "--output=json")).isZero();
        assertThat(SelectorCommand.JSON.readTree(ran.out())).hasSize(1);
        assertThat(backup("delete", name, url())).isEqualTo(2);
        assertThat(ran.err()).contains("remove backup " + directory + "?");
        assertThat(backup("delete", name, "--yes", url())).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("removed " + directory + "\n");
        assertThat(directory).doesNotExist();
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(backup("make", "a/b", url())).isOne();
        assertThat(ran.err()).contains("winnow backup make: name: expected 1 to 64 letters");
        assertThat(backup("delete", "none", "--yes", url())).isOne();
        assertThat(ran.err()).contains("there is no backup 'none'");
        assertThat(backup()).isEqualTo(2);
        assertThat(ran.err()).contains("expected a command: make, list or delete");
    }

    @ParameterizedTest
    @ValueSource(strings = {"make", "list", "delete"})
    void shouldExplainItself(String command) {
        assertThat(backup(command, "--help")).isZero();
        assertThat(ran.out()).contains("Usage: winnow backup " + command).contains("--url=");
    }
}
