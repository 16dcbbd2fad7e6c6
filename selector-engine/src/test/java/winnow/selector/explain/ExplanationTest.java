package winnow.selector.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.Warning.Kind;
import winnow.selector.expression.Truth;
import winnow.selector.index.report.Plan;

class ExplanationTest {

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/warnings.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldWarnOfWhatSurprises(String selector, @Nullable String kinds) {
        // when
        Explanation explanation = Explanation.of(Selector.parse(selector));

        // then
        List<Kind> expected =
                kinds == null
                        ? List.of()
                        : Arrays.stream(kinds.split(" ", -1)).map(Kind::valueOf).toList();
        assertThat(explanation.warnings())
                .extracting(Warning::kind)
                .containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    a = 1                     ; T(a = 1)
                    NOT a = 1                 ; F(a = 1)
                    NOT NOT a                 ; T(a)
                    a AND b OR c              ; T(a) & T(b) | T(c)
                    a AND (b OR c)            ; T(a) & (T(b) | T(c))
                    NOT (a AND (b OR NOT c))  ; F(a) | F(b) & T(c)
                    NOT (a OR b) AND c        ; F(a) & F(b) & T(c)
                    """)
    void shouldShowTheTwoValuedFormula(String selector, String formula) {
        assertThat(Explanation.of(Selector.parse(selector)).formula()).isEqualTo(formula);
    }

    @Test
    void shouldShowTheCanonicalFormAndTheAtoms() {
        // when
        Explanation explanation =
                Explanation.of(Selector.parse("not ( a=1 and  not b like'x%')or a = 1"));

        // then
        assertThat(explanation.canonical()).isEqualTo("NOT (a = 1 AND b NOT LIKE 'x%') OR a = 1");
        assertThat(explanation.atoms()).containsExactly("a = 1", "b LIKE 'x%'");
    }

    @Test
    void shouldSayWhatToDoAboutIt() {
        // when
        Explanation explanation = Explanation.of(Selector.parse("p <> 'a'"));

        // then
        assertThat(explanation.warnings())
                .containsExactly(
                        new Warning(
                                Kind.SKIPS_MISSING,
                                "p <> 'a'",
                                "<> does not match messages without p",
                                "p <> 'a' OR p IS NULL"));
        assertThat(explanation.warnings().getFirst().message())
                .isEqualTo("<> does not match messages without p; try: p <> 'a' OR p IS NULL");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    p <> q                        ; p <> q OR p IS NULL OR q IS NULL
                    p = '5' OR q = 1              ; p = 5
                    p = '-5.25'                   ; p = -5.25
                    '5' = p                       ; 5 = p
                    p = 'TRUE'                    ; p = TRUE
                    p = 0.1                       ; p = 0.1f
                    p / 2 = 3                     ; p / 2.0 = 3
                    -(n - p / 2) BETWEEN 1 AND 3  ; -(n - p / 2.0) BETWEEN 1 AND 3
                    a LIKE 'x_' OR b LIKE 'x'     ; b = 'x'
                    a LIKE 'it''s*'               ; a LIKE 'it''s%'
                    a LIKE 'x!_*' ESCAPE '!'      ; a LIKE 'x\\_%' ESCAPE '\\'
                    a = 'x_%'                     ; a LIKE 'x\\_%' ESCAPE '\\'
                    a LIKE 'x\\_%'                 ; a LIKE 'x\\_%' ESCAPE '\\'
                    NOT (a LIKE 'x\\_%' AND a = b) ; a LIKE 'x\\_%' ESCAPE '\\'
                    order-id > 5                  ; order_id
                    jmsPriority > 5               ; JMSPriority
                    JMSDeliveryMode = 2           ; JMSDeliveryMode = 'PERSISTENT'
                    JMSDeliveryMode = '1'         ; JMSDeliveryMode = 'NON_PERSISTENT'
                    JMSDeliveryMode = 'Non-Persistent' ; JMSDeliveryMode = 'NON_PERSISTENT'
                    p BETWEEN 9 AND 1             ; p BETWEEN 1 AND 9
                    """)
    void shouldCorrectWhatItWarnsOf(String selector, String suggestion) {
        // when
        List<String> suggestions =
                Explanation.of(Selector.parse(selector)).warnings().stream()
                        .map(Warning::suggestion)
                        .filter(Objects::nonNull)
                        .toList();

        // then
        assertThat(suggestions).containsExactly(suggestion);
        assertThatCode(() -> Selector.parse(suggestion)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "p = '007'",
                "p = '123456789012345678901'",
                "p / 0 = 3",
                "a LIKE 'c:\\dir%'",
                "JMSDeliveryMode = 3",
                "x IS NULL AND x IS NOT NULL"
            })
    void shouldNotCorrectWhatItDoesNotUnderstand(String selector) {
        assertThat(Explanation.of(Selector.parse(selector)).warnings())
                .isNotEmpty()
                .allSatisfy(warning -> assertThat(warning.suggestion()).isNull());
    }

    /// What it says of values of another type is what an evaluation finds.
    @Test
    void shouldTellArithmeticFromComparisonsForValuesOfAnotherType() {
        assertThat(texts("NOT (x * 2 > 5)"))
                .contains(
                        "NOT of it does not match messages where x is not a number, because"
                                + " arithmetic with it is UNKNOWN")
                .noneMatch(text -> text.contains("is TRUE for"));
        assertThat(truth("NOT (x * 2 > 5)", Map.of("x", "a"))).isEqualTo(Truth.UNKNOWN);
        assertThat(texts("NOT (x * 2 > y)"))
                .contains(
                        "NOT of it is TRUE for values of y of another type, because the comparison"
                                + " with them is FALSE");
        assertThat(truth("NOT (x * 2 > y)", Map.of("x", 1, "y", "a"))).isEqualTo(Truth.TRUE);
        assertThat(truth("NOT (x > 5)", Map.of("x", "a"))).isEqualTo(Truth.TRUE);
    }

    private static List<String> texts(String selector) {
        return Explanation.of(Selector.parse(selector)).warnings().stream()
                .map(Warning::text)
                .toList();
    }

    private static Truth truth(String selector, Map<String, Object> message) {
        return Evaluation.of(Selector.parse(selector).expression(), message).truth();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    a = 'x' ; EQUALITY a = 'x' ; true
                    a = 'x' AND b > 5 ; EQUALITY a = 'x' ; false
                    b > 5 AND c <= 7 AND c >= 6.0 ; RANGE c BETWEEN 6.0 AND 7 ; false
                    a IN ('x', 'y') ; EQUALITY a = 'x' + EQUALITY a = 'y' ; true
                    n = 5 OR a LIKE 'ab%c' ; PREFIX a LIKE 'ab%c' + EQUALITY n = 5 ; true
                    NOT n > 2 ; RANGE n <= 2 + SCAN n is present, but not a number; true
                    a IS NULL ; MISSING a IS NULL ; true
                    a LIKE '%x' ; SUBSTRING a LIKE '%x' ; true
                    a LIKE '_%xy%z' ; SUBSTRING a LIKE '_%xy%z' ; true
                    a LIKE '__%' ; SCAN a LIKE '__%' ; true
                    a LIKE '%x' AND b = 1 ; EQUALITY b = 1 ; false
                    a = 'x' AND a = 'y' ; ~~ ; true
                    n > 2 * 50 ; RANGE n > 100 ; true
                    n = 7 / 2 AND a = b ; EQUALITY n = 3 ; false
                    """)
    void shouldShowWhatTheIndexFindsItBy(String selector, String keys, boolean exact) {
        // when
        Plan plan = Explanation.of(Selector.parse(selector)).plan();

        // then
        List<String> found =
                plan.keys().stream().map(key -> key.kind() + " " + key.text()).toList();
        List<String> expected = keys.isEmpty() ? List.of() : List.of(keys.split(" \\+ ", -1));
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(plan.exact()).isEqualTo(exact);
        assertThat(plan.everything()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    a = 'x' AND b LIKE '%y'  ; ~~
                    b LIKE '%y'              ; ~~
                    b LIKE '_%'              ; put some text between them
                    a <> 'x'                 ; join it by AND
                    NOT a = 'x'              ; join it by AND
                    n * 2 > 5                ; compare the property itself
                    n > m                    ; compares two properties
                    n + 1 <> m               ; compares two properties
                    n > 2 * 50               ; ~~
                    n = 7 / 2                ; ~~
                    n = 7 / 0                ; because of the arithmetic
                    n > n * n                ; because of the arithmetic
                    NOT n > 10               ; if only numbers are wanted, write n <= 10
                    NOT n BETWEEN 5 AND 7    ; write n < 5 OR n > 7
                    NOT (n < 5 OR n > 7)     ; once for each message that has n; if only numbers
                    """)
    void shouldAdviseWhatToWriteInstead(String selector, String advice) {
        // when
        List<String> given = Explanation.of(Selector.parse(selector)).advice();

        // then
        if (advice.isEmpty()) {
            assertThat(given).isEmpty();
        } else {
            assertThat(given).singleElement().asString().contains(advice);
        }
    }
}
