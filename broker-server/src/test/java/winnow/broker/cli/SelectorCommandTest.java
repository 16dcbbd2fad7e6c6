package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SelectorCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = SelectorCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void shouldPrintTheValueOfEachAtom() {
        // when
        int code = run("eval", "p > 3 AND x IS NULL AND q = 'a'", "--message", "{\"p\":5}");

        // then
        assertThat(code).isEqualTo(1);
        assertThat(out.toString().lines())
                .containsExactly(
                        "UNKNOWN",
                        "  TRUE     p > 3",
                        "  TRUE     x IS NULL",
                        "  UNKNOWN  q = 'a'  <- decides",
                        "value     p is 5 (int)",
                        "value     x is missing",
                        "value     q is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    p > 3                  | {"p":5}                        | 0
                    p > 3                  | {"p":2}                        | 1
                    p > 3                  | {}                             | 1
                    p > 3                  | {"p":null}                     | 1
                    p > 3                  | {"p":"5"}                      | 1
                    p > 4000000000         | {"p":5000000000}               | 0
                    p = 0.1                | {"p":0.1}                      | 0
                    p = 0.1                | {"p":{"float":0.1}}            | 1
                    p = 0.1f               | {"p":{"float":0.1}}            | 0
                    p / 2 = 2              | {"p":{"byte":5}}               | 0
                    p / 2 = 2              | {"p":{"short":5}}              | 0
                    p / 2 = 2              | {"p":{"int":5}}                | 0
                    p / 2 = 2              | {"p":{"long":5}}               | 0
                    p / 2 = 2              | {"p":{"double":5}}             | 1
                    p                      | {"p":true}                     | 0
                    JMSPriority = 4        | {"JMSPriority":4}              | 0
                    JMSDeliveryMode LIKE 'P%' | {"JMSDeliveryMode":2}       | 0
                    JMSDeliveryMode LIKE 'P%' | {"JMSDeliveryMode":"NON_PERSISTENT"} | 1
                    ~ ~                    | {}                             | 0
                    """)
    void shouldExitByTheValue(String selector, String message, int expected) {
        assertThat(run("eval", selector, "--message", message)).isEqualTo(expected);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldSayThatABlankTextIsNoSelector() {
        // when
        int code = run("explain", " ") + run("explain", "", "--output", "json");

        // then
        assertThat(code).isZero();
        assertThat(out.toString())
                .startsWith("selector  none: a blank text is no selector, every message matches")
                .contains("\"warnings\":[]");
    }

    @Test
    void shouldEvaluateACorrelationIdFilter() {
        // when
        int code =
                run(
                        "eval",
                        "[#7;#13]",
                        "--correlation-id-filter",
                        "--message",
                        "{\"JMSCorrelationID\":\"#9\"}");

        // then
        assertThat(code).isZero();
    }

    @Test
    void shouldMarkThePlaceOfASyntaxError() {
        // when
        int code = run("eval", "a = 1 AND\n\tb = AND c");

        // then
        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "selector line 2 column 4: the value on the right of = is missing",
                        "  \tb = AND c",
                        "  \t  ^");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldShowTheCorrectedSelector() {
        assertThat(run("explain", "price != 5")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "selector line 1 column 7: \"not equal\" is written <>, not !=",
                        "  price != 5",
                        "        ^^",
                        "try:",
                        "  price <> 5");
    }

    @Test
    void shouldPrintJson() {
        // then
        assertThat(run("eval", "p = 1", "--message", "{\"p\":1}", "--output", "json")).isZero();
        assertThat(out.toString().trim())
                .isEqualTo(
                        "{\"selector\":\"p = 1\",\"truth\":\"TRUE\","
                                + "\"atoms\":[{\"atom\":\"p = 1\",\"truth\":\"TRUE\","
                                + "\"decides\":true}],"
                                + "\"values\":[{\"name\":\"p\",\"type\":\"int\",\"value\":1}],"
                                + "\"warnings\":[]}");
        out.getBuffer().setLength(0);
        assertThat(run("eval", "p == 1", "--output", "json")).isEqualTo(2);
        assertThat(out.toString())
                .contains(
                        "\"line\":1,\"column\":3,\"problem\":\"equality is written =, not ==\","
                                + "\"suggestion\":\"p = 1\"");
    }

    @Test
    void shouldExplain() {
        // when
        int code = run("explain", "not(a='x' and b<>3)");

        // then
        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("selector  NOT (a = 'x' AND b <> 3)")
                .contains("formula   F(a = 'x') | F(b <> 3)")
                .contains("warning   b <> 3: NOT of it does not match messages without b");
    }

    @Test
    void shouldExplainAsJson() {
        // when
        int code = run("explain", "p <> 'a'", "--output", "json");

        // then
        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("\"formula\":\"T(p <> 'a')\"")
                .contains("\"warnings\":[{\"kind\":\"skips-missing\",\"atom\":\"p <> 'a'\"")
                .contains("\"suggestion\":\"p <> 'a' OR p IS NULL\"}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"p":               | found an error in it at column
                    [1]                 | expected a JSON object for --message, found [1]
                    {"p":[1]}           | or {"TYPE": NUMBER} for 'p', found [1]
                    {"p":{"byte":300}}  | a whole number from -128 to 127 for 'p', found 300
                    {"p":{"float":"x"}} | expected a number for 'p', found "x"
                    {"p":{"char":1}}    | as the type of 'p', found 'char'
                    {"p":99999999999999999999} | expected a whole number from -9223372036854775808
                    {"JMSDeliveryMode":3} | expected 1 or 2 for 'JMSDeliveryMode', found 3
                    {"p":1,"p":2}       | found an error in it at column
                    """)
    void shouldRefuseAMessage(String message, String error) {
        assertThat(run("eval", "p = 1", "--message", message)).isEqualTo(2);
        assertThat(err.toString()).startsWith("winnow selector eval: ").contains(error);
    }

    @Test
    void shouldWarnOfAValueOfAnotherType() {
        // when
        int code = run("eval", "price > 10", "--message", "{\"price\":\"11\"}");

        // then
        assertThat(code).isEqualTo(1);
        assertThat(out.toString().lines())
                .containsExactly(
                        "FALSE",
                        "  FALSE    price > 10",
                        "value     price is '11' (string)",
                        "warning   price > 10: price is a string here and is compared with a"
                                + " number; strings have no order, so the producer has to set a"
                                + " number");
    }

    @Test
    void shouldSayWhatToDoAboutALeadingMinusSign() {
        assertThat(run("eval", "-x = 5")).isEqualTo(2);
        assertThat(err.toString()).contains("stands behind --, as in winnow selector eval -- '-x");
        assertThat(run("eval", "--", "-x = 5")).isEqualTo(1);
    }

    @Test
    void shouldListItsCommandsInWholeSentences() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("for a message, and why.")
                .contains("and warns of what may surprise.");
    }

    @Test
    void shouldAskForACommand() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("winnow selector: expected a command: eval or explain");
        assertThat(run("eval", "--help")).isZero();
        assertThat(out.toString()).contains("Exit codes:").contains("--correlation-id-filter");
    }
}
