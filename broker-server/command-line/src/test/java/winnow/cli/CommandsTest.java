package winnow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class CommandsTest {
    private final StringWriter err = new StringWriter();

    @Command(name = "winnow fail")
    private record Failing(Exception failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    private int run(Exception failure, String... arguments) {
        return Commands.line(new Failing(failure)).setErr(new PrintWriter(err)).execute(arguments);
    }

    @Test
    void shouldTellEachLineOfAFailureBehindTheName() {
        assertThat(run(new IOException("a: no such file\nb: no such file"))).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly("winnow fail: a: no such file", "winnow fail: b: no such file");
    }

    @Test
    void shouldTakeABadArgumentForWrongUsage() {
        assertThat(run(new IllegalArgumentException("expected 1, found 2"))).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly("winnow fail: expected 1, found 2");
    }

    @Test
    void shouldAnswerWrongUsage() {
        assertThat(run(new IOException("not reached"), "@file")).isEqualTo(2);
        assertThat(err.toString()).startsWith("winnow fail: unexpected argument '@file'");
    }
}
