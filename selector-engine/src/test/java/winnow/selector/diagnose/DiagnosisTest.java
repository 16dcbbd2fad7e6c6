package winnow.selector.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.RandomSelectors;
import winnow.selector.engine.Selector;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.explain.Evaluation;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Truth;

class DiagnosisTest {

    /// Parts of selectors, and what people write instead.
    private static final List<String> PARTS =
            List.of(
                    "a",
                    "b",
                    "=",
                    "==",
                    "!=",
                    "<>",
                    "<",
                    ">=",
                    "AND",
                    "OR",
                    "NOT",
                    "&&",
                    "||",
                    "!",
                    "(",
                    ")",
                    "'x'",
                    "'y",
                    "\"z\"",
                    "5",
                    "-",
                    "1.5",
                    "IN",
                    "(1, 2)",
                    "('x', 'y')",
                    "LIKE",
                    "'a%'",
                    "ILIKE",
                    "BETWEEN",
                    "IS",
                    "NULL",
                    "TRUE",
                    "UPPER(a)",
                    ",",
                    ".",
                    "JMSPriorty",
                    "--",
                    ";",
                    "%",
                    "“q”",
                    "'",
                    "\n",
                    "=~",
                    "ESCAPE",
                    "\uD800");

    @Test
    void shouldFindNoMistakeInAValidSelector() {
        // given
        RandomSelectors selectors = new RandomSelectors(1);

        for (int i = 0; i < 5_000; i++) {
            // when
            String selector = ExpressionPrinter.print(selectors.condition(3));

            // then
            assertThat(isSelector(selector) && Diagnosis.findsMistakes(selector))
                    .as(selector)
                    .isFalse();
        }
    }

    /// Also that words, place and suggestion are found for any text at all.
    @Test
    void shouldSuggestOnlyWhatIsASelector() {
        // given
        Random random = new Random(2);
        int suggestions = 0;

        for (int i = 0; i < 10_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(10); j >= 0; j--) {
                text.append(PARTS.get(random.nextInt(PARTS.size())));
                text.append(random.nextInt(5) == 0 ? "" : " ");
            }
            try {
                // when
                Selector.parse(text.toString());
                assertThat(Diagnosis.findsMistakes(text.toString())).as(text.toString()).isFalse();
            } catch (InvalidSelectorSyntaxException e) {
                // then
                assertThat(e.problem()).isNotBlank();
                assertThat(e.report()).contains("^");
                assertThat(String.valueOf(e.getMessage()).lines()).hasSize(1);
                e.suggestion().ifPresent(Selector::parse);
                suggestions += e.suggestion().isPresent() ? 1 : 0;
            }
        }
        assertThat(suggestions).isGreaterThan(150);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    10 < n < 20                   ; 15     ; TRUE
                    10 < n < 20                   ; 25     ; FALSE
                    10 < n < 20                   ; 5      ; FALSE
                    n IN (1, 2)                   ; 2      ; TRUE
                    n IN (1, 2)                   ; 3      ; FALSE
                    NOT n IN (1, 2)               ; 3      ; TRUE
                    n NOT IN (1, 2) AND n > 0     ; 2      ; FALSE
                    n NOT IN (1, 2) AND n > 0     ; 3      ; TRUE
                    n = NULL                      ; 3      ; FALSE
                    n != NULL && !(n == 5)        ; 3      ; TRUE
                    n IS NOT 5                    ; 5      ; FALSE
                    n NOT = 5                     ; 4      ; TRUE
                    n = 1 OR 2 OR 3               ; 3      ; TRUE
                    n <> 1 AND 2                  ; 2      ; FALSE
                    (n > 2) = FALSE               ; 1      ; TRUE
                    n > '10'                      ; 9      ; FALSE
                    n % 3 = 1                     ; 7      ; TRUE
                    n % 3 = 1                     ; 8      ; FALSE
                    n > 1,000                     ; 999    ; FALSE
                    n BETWEEN 1, 5                ; 5      ; TRUE
                    n gt 5                        ; 6      ; TRUE
                    s = "O'Brien"                 ; O'Brien; TRUE
                    s = 'O'Brien'                 ; O'Brien; TRUE
                    UPPER(s) = 'ABC'              ; abc    ; TRUE
                    s ILIKE 'ab%'                 ; ABx    ; TRUE
                    s NOT ILIKE 'ab%'             ; ABx    ; FALSE
                    s REGEXP 'b'                  ; abc    ; TRUE
                    s REGEXP '^b'                 ; abc    ; FALSE
                    ENDSWITH(s, 'bc')             ; abc    ; TRUE
                    s IN (abc, "def")             ; abc    ; TRUE
                    s = 'abc AND s <> 'def'       ; abc    ; TRUE
                    """)
    void shouldSuggestWhatWasMeant(String text, String value, Truth truth) {
        // given
        Map<String, Object> message = new HashMap<>();
        if (Character.isDigit(value.charAt(0))) {
            message.put("n", Integer.valueOf(value));
        } else {
            message.put("s", value);
        }

        // when
        String suggestion = refused(text).suggestion().orElseThrow();

        // then
        assertThat(Evaluation.of(Selector.parse(suggestion).expression(), message).truth())
                .as(suggestion)
                .isEqualTo(truth);
    }

    @Test
    void shouldMarkTheMistakeAndShowTheSuggestion() {
        // when
        var exception = refused("a = 1\n\tAND price != 5");

        // then
        assertThat(exception.line()).isEqualTo(2);
        assertThat(exception.column()).isEqualTo(12);
        assertThat(exception.report().lines())
                .containsExactly(
                        "selector line 2 column 12: \"not equal\" is written <>, not !=",
                        "  \tAND price != 5",
                        "  \t          ^^",
                        "try:",
                        "  a = 1 AND price <> 5");
    }

    @Test
    void shouldShowAWindowOfALongText() {
        // given
        String text = "a = 1 OR ".repeat(100) + "b == 2" + " OR a = 1".repeat(2_000);

        // when
        var exception = refused(text);

        // then
        assertThat(exception.column()).isEqualTo(904);
        assertThat(exception.report().lines()).hasSize(3).allMatch(line -> line.length() < 200);
        String[] lines = exception.report().split("\n", -1);
        assertThat(lines[1]).startsWith("  …").endsWith("…");
        assertThat(lines[1].substring(lines[2].indexOf('^'))).startsWith("=");
    }

    @Test
    void shouldShortenASuggestionInTheMessageOnly() {
        // when
        var exception = refused("a = 1 OR ".repeat(100) + "b == 2");

        // then
        assertThat(exception.getMessage()).hasSizeLessThan(400).endsWith("…");
        assertThat(exception.report()).endsWith("OR b = 2");
    }

    @Test
    void shouldShowControlCharactersAsPictures() {
        // when
        var exception = refused("a = 'x\u001B[31m\n' + 1");

        // then
        assertThat(exception.getMessage()).contains("␛[31m␊").doesNotContain("\u001B");
        assertThat(exception.report()).contains("␛[31m").doesNotContain("\u001B");
    }

    private static InvalidSelectorSyntaxException refused(String text) {
        return catchThrowableOfType(
                InvalidSelectorSyntaxException.class, () -> Selector.parse(text));
    }

    private static boolean isSelector(String text) {
        try {
            Selector.parse(text);
            return true;
        } catch (InvalidSelectorSyntaxException _) {
            return false;
        }
    }
}
