package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import winnow.wire.ProductVersion;

class ConfigCommandTest {
    @TempDir private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, String... arguments) {
        CommandLine line = ConfigCommand.commandLine(environment);
        for (CommandLine one : line.getSubcommands().values()) {
            one.setOut(new PrintWriter(out));
            one.setErr(new PrintWriter(err));
        }
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void shouldTellItsVersion() {
        // then
        assertThat(run(Map.of(), "--version")).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("winnow " + ProductVersion.text());
    }

    @Test
    void shouldShowMeaningDefaultValueAndSource() throws IOException {
        // given
        Path yaml = Files.writeString(directory.resolve("a.yaml"), "session: {max-handles: 12}\n");

        // then
        assertThat(run(Map.of("WINNOW_CONFIG", yaml.toString()), "show")).isZero();
        assertThat(out.toString().replace("\r", ""))
                .contains(
                        """
                        session.max-handles = 12
                            destinations that one connection may have open for publishing; \
                        also its temporary
                            destinations
                            source: %s:1
                            default: 1000
                            unit: destinations
                            range: 1 to 65536
                            change: at run time
                        """
                                .formatted(yaml));
    }

    @Test
    void shouldShowValuesThatAreComputed() throws IOException {
        // when
        int status =
                run(
                        Map.of("WINNOW_SESSION_METADATA_TOTAL", "64MiB"),
                        "show",
                        "--output=json",
                        "--set=transport.max-frame=2MiB",
                        "--port=7");

        // then
        assertThat(status).isZero();
        JsonNode settings = JsonMapper.builder().build().readTree(out.toString());
        JsonNode user = setting(settings, "session.metadata.user");
        assertThat(user.path("value").asText()).isEqualTo("48MiB");
        assertThat(user.path("source").asText()).isEqualTo("default");
        assertThat(user.path("defaultValue").asText())
                .isEqualTo("0B (three quarters of `session.metadata.total`)");
        assertThat(setting(settings, "transport.event-loops").path("value").asInt()).isPositive();
        assertThat(setting(settings, "transport.port").path("source").asText()).isEqualTo("--port");
    }

    private static JsonNode setting(JsonNode settings, String key) {
        for (JsonNode one : settings) {
            if (one.path("key").asText().equals(key)) {
                return one;
            }
        }
        throw new AssertionError("no " + key + " in " + settings);
    }

    @Test
    void shouldCheckAFile() throws IOException {
        // given
        Path right = Files.writeString(directory.resolve("a.yaml"), "session: {heartbeat: 5s}\n");
        Path wrong = Files.writeString(directory.resolve("b.yaml"), "session: {heartbeta: 5s}\n");

        // then
        assertThat(run(Map.of(), "check", right.toString())).isZero();
        assertThat(run(Map.of(), "check", wrong.toString())).isEqualTo(2);
        assertThat(run(Map.of(), "check", "missing")).isEqualTo(1);
        assertThat(run(Map.of())).isEqualTo(2);
        assertThat(out.toString().strip()).isEqualTo(right + ": all settings are right");
        assertThat(err.toString().lines())
                .startsWith(
                        "winnow config check: "
                                + wrong
                                + ":1: unknown setting 'session.heartbeta'; did you mean"
                                + " 'session.heartbeat'?",
                        "winnow config check: missing: expected a file that can be read,"
                                + " found none");
    }
}
