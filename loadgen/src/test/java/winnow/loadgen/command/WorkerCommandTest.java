package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldExplainItself() {
        assertThat(execute("load worker --help")).isZero();
        assertThat(out.toString()).contains("--new-secret", "Nothing is encrypted");
    }

    @Test
    void shouldMakeASecretOnce(@TempDir Path directory) {
        // given
        var secret = directory.resolve("secret");

        // when
        var codes =
                new int[] {
                    execute("load worker --new-secret " + secret),
                    execute("load worker --new-secret " + secret)
                };

        // then
        assertThat(codes).containsExactly(0, 1);
        assertThat(secret).isNotEmptyFile();
        assertThat(err.toString()).contains("expected a new file for the secret, found one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    load worker --listen 7621 | expected HOST:PORT, found '7621'
                    load run --scenario throughput --workers apart | together, separate or HOST:PORT
                    load run --scenario throughput --workers a:1 --classpath . | has its own
                    load run --scenario throughput --secret-file s | expected --workers HOST:PORT
                    """)
    void shouldSayWhatIsWrong(String arguments, String text) {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(text);
    }

    @Test
    void shouldNotListenWithoutASecret() {
        assertThat(execute("load worker --secret-file /none --listen 127.0.0.1:0")).isEqualTo(1);
        assertThat(err.toString()).contains("expected a secret in '/none', found no such file");
    }

    private int execute(String arguments) {
        var line = CommandTree.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.split(" ", -1));
    }
}
