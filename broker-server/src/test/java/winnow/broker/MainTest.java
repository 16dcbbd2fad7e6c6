package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
    @TempDir private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine(Map.of());
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
                .isEqualTo(1);
        assertThat(run("--port=0", "--http-port=0", "--set", "security.users=" + directory))
                .isEqualTo(1);
        assertThat(run("--port=0", "--http-port=0", "--data", file.toString())).isEqualTo(1);
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
    void shouldReadNoArgumentsFromFiles() throws Exception {
        // given
        Path file = directory.resolve("arguments");
        Files.writeString(file, "--stop-when-ready");

        // then
        assertThat(run("@" + file)).isEqualTo(2);
        assertThat(err.toString()).contains("unexpected argument");
    }
}
