package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
        assertThat(run(Map.of(), "check", "missing")).isEqualTo(2);
        assertThat(run(Map.of())).isEqualTo(2);
        assertThat(out.toString().strip())
                .isEqualTo(right + ": all settings are right, and what they name can be used");
        assertThat(err.toString().lines())
                .startsWith(
                        "winnow config check: "
                                + wrong
                                + ":1: unknown setting 'session.heartbeta'; did you mean"
                                + " 'session.heartbeat'?",
                        "winnow config check: missing: no such file or directory");
    }

    @Test
    void shouldSayAllThatTheBrokerWouldRefuse() throws IOException {
        // given a file of settings in which everything is wrong
        Path users = Files.writeString(directory.resolve("users"), "anna\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
        Path certificate = Files.writeString(directory.resolve("cert.pem"), "none\n");
        Path key = Files.writeString(directory.resolve("key.pem"), "none\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        Path issuers = Files.writeString(directory.resolve("issuers.pem"), "none\n");
        Path store = Files.createDirectory(directory.resolve("store"));
        Files.writeString(store.resolve("letter"), "dear");
        Path yaml =
                Files.writeString(
                        directory.resolve("all.yaml"),
                        """
                        session.heartbeat: 5
                        security.users: %s
                        tls: {certificate: %s, key: %s, client-auth: need, client-certificates: %s}
                        storage.directory: %s
                        transport: {port: 7, bind: no such host}
                        http.port: 7
                        """
                                .formatted(users, certificate, key, issuers, store));

        // when
        int checked = run(Map.of(), "check", yaml.toString());
        List<String> problems = problems();
        int started = start("--config", yaml.toString());

        // then
        assertThat(checked).isEqualTo(2);
        assertThat(problems)
                .satisfiesExactly(
                        one -> assertThat(one).startsWith(yaml + ":1: session.heartbeat: expected"),
                        one -> assertThat(one).startsWith("http.port: expected another port than"),
                        one -> assertThat(one).startsWith("transport.bind: expected an address"),
                        one -> assertThat(one).startsWith("security.users: " + users + ":1: "),
                        one ->
                                assertThat(one)
                                        .startsWith("tls.client-certificates: " + issuers + ": "),
                        one -> assertThat(one).contains(key + ": expected a file with a secret"),
                        one ->
                                assertThat(one)
                                        .startsWith("storage.directory: " + store)
                                        .endsWith("found no file 'format' but [letter]"));
        assertThat(started).isEqualTo(2);
        assertThat(problems()).isEqualTo(problems);
    }

    /// Text that the last command has printed, without its name.
    private List<String> problems() {
        List<String> problems =
                err.toString().lines().map(line -> line.replaceFirst("^[a-z ]+: ", "")).toList();
        err.getBuffer().setLength(0);
        return problems;
    }

    private int start(String... arguments) {
        CommandLine line = Main.commandLine(Map.of());
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void shouldCheckWhatOptionsAndVariablesSay() throws IOException {
        // given
        Path missing = directory.resolve("missing");
        Path file = Files.createFile(directory.resolve("file"));
        Path yaml = Files.writeString(directory.resolve("a.yaml"), "");

        // then
        assertThat(run(Map.of("WINNOW_SECURITY_USERS", missing.toString()), "check")).isEqualTo(2);
        assertThat(problems()).containsExactly(noUsers(missing));
        assertThat(run(Map.of(), "check", "--set", "tls.certificate=" + missing)).isEqualTo(2);
        assertThat(problems())
                .containsExactly("tls.certificate: " + missing + ": no such file or directory");
        assertThat(run(Map.of(), "check", "--data", file.toString())).isEqualTo(2);
        assertThat(problems())
                .containsExactly("--data " + file + ": expected a directory, found a file");
        assertThat(run(Map.of(), "check", "--data", file.resolve("below").toString())).isEqualTo(2);
        assertThat(problems())
                .containsExactly(
                        "storage.directory: " + file + ": expected a directory, found a file");
        assertThat(run(Map.of(), "check", "--bind", "0.0.0.0")).isEqualTo(2);
        assertThat(problems()).singleElement().asString().contains("demands credentials");
        assertThat(run(Map.of(), "check", yaml.toString(), "--config=" + yaml)).isEqualTo(2);
        assertThat(problems()).singleElement().asString().contains("expected one file of settings");
        assertThat(run(Map.of(), "check", "--data", missing.toString())).isZero();
        assertThat(missing).doesNotExist();
    }

    private static String noUsers(Path missing) {
        return ("security.users: %1$s: no such file or directory; 'winnow user --file %1$s NAME'"
                        + " makes it")
                .formatted(missing);
    }
}
