package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
    @TempDir private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return run(Map.of(), arguments);
    }

    private int run(Map<String, String> environment, String... arguments) {
        CommandLine line = Main.commandLine(environment);
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void shouldNameTheOptionThatIsWrong() {
        assertThat(run("--port", "70000")).isEqualTo(2);
        assertThat(run("--http-port", "-1")).isEqualTo(2);
        assertThat(run("--bind", "no such host")).isEqualTo(2);
        assertThat(run("--set", "session.heartbeat=9223372036854775807m")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "winnow broker: --port: transport.port: expected 0 to 65535, found 70000",
                        "winnow broker: --http-port: http.port: expected 0 to 65535, found -1",
                        "winnow broker: transport.bind: expected an address of this machine, found"
                                + " 'no such host'",
                        "winnow broker: --set: session.heartbeat: expected a duration of up to 9"
                                + " digits such as 500ms, 5s or 2m, found '9223372036854775807m'");
    }

    @Test
    void shouldNameTheFileThatIsWrong() throws Exception {
        // given
        Path missing = directory.resolve("missing");
        Path file = Files.createFile(directory.resolve("file"));

        // then
        assertThat(run("--port=0", "--http-port=0", "--set", "security.users=" + missing))
                .isEqualTo(2);
        assertThat(run("--port=0", "--http-port=0", "--set", "security.users=" + directory))
                .isEqualTo(2);
        assertThat(run("--port=0", "--http-port=0", "--data", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "winnow broker: security.users: "
                                + missing
                                + ": no such file or directory; 'winnow user --file "
                                + missing
                                + " NAME' makes it",
                        "winnow broker: security.users: " + directory + ": Is a directory",
                        "winnow broker: --data " + file + ": expected a directory, found a file");
    }

    @Test
    void shouldSayWhereTheFirstUserBelongs() {
        assertThat(run("--first-user=admin")).isEqualTo(2);
        assertThat(err.toString()).contains("--first-user: expected --data or security.users");
    }

    @Test
    void shouldEndOtherwiseIfAnotherStartMaySucceed() throws Exception {
        // given
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // then
            assertThat(run("--port=" + taken.getLocalPort(), "--http-port=0")).isEqualTo(1);
        }
    }

    @Test
    void shouldEndWithAWrongSettingIfTheStoreIsOfANewerVersion() throws Exception {
        // given
        Path data = directory.resolve("data");
        Path store = Files.createDirectories(data.resolve("store"));
        Files.writeString(store.resolve("format"), "winnow-store 2\n");

        // then
        assertThat(run("--port=0", "--http-port=0", "--data", data.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("If a newer version wrote this store");
    }

    @Test
    void shouldSayInJsonWhatIsWrongIfTheLogIsJson() throws Exception {
        // given
        Path yaml = Files.writeString(directory.resolve("a.yaml"), "log: {format: json}\nx: 1\n");

        // then
        assertThat(run("--config", yaml.toString())).isEqualTo(2);
        assertThat(run("--set", "log.format=json", "--set", "security.users=a\"b")).isEqualTo(2);
        assertThat(run(Map.of("WINNOW_LOG_FORMAT", "JSON"), "--prot=1")).isEqualTo(2);
        List<String> messages = new ArrayList<>();
        for (String line : err.toString().lines().toList()) {
            JsonNode json = JsonMapper.builder().build().readTree(line);
            assertThat(json.path("level").asText()).isEqualTo("error");
            assertThat(json.path("time").asText()).endsWith("Z");
            messages.add(json.path("message").asText());
        }
        assertThat(messages)
                .satisfiesExactly(
                        one -> assertThat(one).startsWith("winnow broker: " + yaml + ":2: unknown"),
                        one -> assertThat(one).startsWith("winnow broker: security.users: a\"b: "),
                        one -> assertThat(one).isEqualTo("winnow broker: unknown option '--prot'"),
                        one -> assertThat(one).startsWith("Did you mean '--port'?"));
    }

    @Test
    void shouldReadNoArgumentsFromFiles() throws Exception {
        // given
        Path file = directory.resolve("arguments");
        Files.writeString(file, "--stop-when-ready");

        // then
        assertThat(run("@" + file)).isEqualTo(2);
        assertThat(err.toString()).contains("unexpected argument");
    }
}
