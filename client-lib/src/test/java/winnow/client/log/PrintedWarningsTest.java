package winnow.client.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PrintedWarningsTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintedWarnings warnings =
            new PrintedWarnings(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    private String[] lines() {
        return bytes.toString(StandardCharsets.UTF_8).split(System.lineSeparator(), -1);
    }

    @Test
    void shouldPrintEachWarningOnce() {
        // when
        warnings.warn("connection lost: {}", "the broker closed it");
        warnings.warn("connection lost: {}", "the broker closed it");
        warnings.error("connection lost: {}", "it was silent");

        // then
        assertThat(lines())
                .containsExactly(
                        "winnow: connection lost: the broker closed it",
                        "winnow: warnings are printed here, each once, because there is no SLF4J"
                                + " provider, such as slf4j-simple; -Dwinnow.client.warnings=false"
                                + " turns them off",
                        "winnow: connection lost: it was silent",
                        "");
    }

    @Test
    void shouldPrintNothingBelowAWarning() {
        // when
        warnings.info("connected");
        warnings.debug("connected", new IllegalStateException("no"));

        // then
        assertThat(bytes.size()).isZero();
    }

    @Test
    void shouldPrintSoManyAtMostAndSaySo() {
        // when
        for (int i = 0; i < 10 * PrintedWarnings.MAX_PRINTED; i++) {
            warnings.warn("warning {}", i);
        }

        // then
        assertThat(lines())
                .hasSize(PrintedWarnings.MAX_PRINTED + 3)
                .contains("winnow: further warnings are left out");
    }

    @Test
    void shouldPrintTheCauseAndNoCharacterThatATerminalObeys() {
        // when
        warnings.warn("a listener\u001b[31m failed\nhere", new IllegalStateException("why"));

        // then
        assertThat(lines())
                .startsWith(
                        "winnow: a listener?[31m failed?here",
                        "java.lang.IllegalStateException: why");
    }
}
