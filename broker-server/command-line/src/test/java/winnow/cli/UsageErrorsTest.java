package winnow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class UsageErrorsTest {

    @Command(name = "winnow", subcommands = Sub.class)
    private static final class Root implements Runnable {
        @Override
        public void run() {}
    }

    @Command(name = "sub")
    @SuppressWarnings("UnusedVariable") // picocli acts on them
    private static final class Sub implements Runnable {
        @Parameters(paramLabel = "TOPIC")
        private String topic = "";

        @Option(names = "--selector")
        private String selector = "";

        @Option(names = "--url")
        private String url = "";

        @Option(names = "--property", paramLabel = "NAME=VALUE")
        private Map<String, String> properties = Map.of();

        @Option(names = "--stop-when-ready", hidden = true)
        private boolean hidden;

        @Override
        public void run() {}
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sub t --selctor x      | winnow sub: unknown option '--selctor' \
                    | Did you mean '--selector'? See 'winnow sub --help'.
                    sub t x --SELEKTOR=y   | winnow sub: unknown option '--SELEKTOR' \
                    | Did you mean '--selector'? See 'winnow sub --help'.
                    sub t --stop-when-read | winnow sub: unknown option '--stop-when-read' \
                    | See 'winnow sub --help'.
                    sub t --frequency 3    | winnow sub: unknown option '--frequency' \
                    | See 'winnow sub --help'.
                    sub t --broker h:1     | winnow sub: unknown option '--broker' \
                    | Did you mean '--url'? See 'winnow sub --help'.
                    sub t --host=h         | winnow sub: unknown option '--host' \
                    | Did you mean '--url'? See 'winnow sub --help'.
                    --host h               | winnow: unknown option '--host' \
                    | See 'winnow --help'.
                    sub t --property p     | winnow sub: value for option '--property' \
                    (NAME=VALUE) should be in KEY=VALUE format but was p \
                    | See 'winnow sub --help'.
                    sub t u                | winnow sub: unexpected argument 'u' \
                    | See 'winnow sub --help'.
                    sbu                    | winnow: unknown command 'sbu' \
                    | Did you mean 'sub'? See 'winnow --help'.
                    sbu t --url x          | winnow: unknown command 'sbu' \
                    | Did you mean 'sub'? See 'winnow --help'.
                    sub                    | winnow sub: missing required parameter: 'TOPIC' \
                    | See 'winnow sub --help'.
                    """)
    void shouldSayWhatIsWrongAndWhatWasMeant(String arguments, String wrong, String hint) {
        // given
        var err = new StringWriter();
        var line =
                new CommandLine(new Root())
                        .setErr(new PrintWriter(err))
                        .setParameterExceptionHandler(new UsageErrors());

        // when
        var code = line.execute(arguments.split(" ", -1));

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly(wrong, hint);
    }
}
