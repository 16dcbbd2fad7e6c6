package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundTripCommandTest {

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldMeasureWithoutABroker() throws Exception {
        // given
        var arguments =
                "load round-trip --layers socket,echo --sizes 1,100 --warmup-trips 2 --series 1"
                        + " --trips 3 --quick --no-tcp-no-delay --out "
                        + directory;

        // when
        var codes = execute(arguments) + execute(arguments + " --output json");

        // then
        assertThat(codes).as(err.toString()).isZero();
        assertThat(out.toString()).contains("Netty echo", "report: file:///", "877 (pipe)");
        var json = new ObjectMapper().readTree(out.toString().lines().toList().getLast());
        assertThat(json.at("/results")).hasSize(4);
        assertThat(json.at("/settings/sockets/noDelay").booleanValue()).isFalse();
        assertThat(directory.resolve("round-trips.html")).isNotEmptyFile();
    }

    @Test
    void shouldSayWhatItNeedsForABrokerOfItsOwn() {
        // when
        var code = execute("load round-trip --layers topic --out " + directory);

        // then: tests are not started by the launcher
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("start it with ./winnow load round-trip");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --layers pigeon | expected one of socket, echo, frames, topic, queue,
                    --sizes 0 | expected sizes from 1 to 268435456 bytes, found 0 to 0
                    --provider a.B | expected --url with --provider a.B, found none
                    --url tcp://h --classpath nowhere | expected a directory of jars, found
                    --trips 0 | expected a warm-up from 0, series and round trips from 1
                    --buffer-bytes=-1 | expected a buffer from 0, found -1
                    --wan-delay 11 | expected a time such as 12ns
                    --wan-delay 1ms --wan-mbit 0 | expected a delay from 0, a bandwidth
                    """)
    void shouldSayWhatWasExpectedWhenMisused(String arguments, String message) {
        // when
        var code = execute("load round-trip " + arguments + " --out " + directory);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    private int execute(String arguments) {
        var line = CommandTree.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.split(" ", -1));
    }
}
