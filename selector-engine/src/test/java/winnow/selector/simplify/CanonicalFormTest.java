package winnow.selector.simplify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.RandomSelectors;
import winnow.selector.engine.Selector;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Or;

class CanonicalFormTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    b AND a                               ; a AND b
                    b OR a                                ; a OR b
                    a AND (c AND b)                       ; a AND b AND c
                    a AND a                               ; a
                    NOT (a AND NOT b)                     ; NOT a OR b
                    NOT (a OR b)                          ; NOT a AND NOT b
                    NOT NOT a                             ; a
                    5 < x                                 ; x > 5
                    'a' = x                               ; x = 'a'
                    x + 1 > 2                             ; x + 1 > 2
                    x = TRUE                              ; x
                    x <> FALSE                            ; x
                    TRUE <> x                             ; x = FALSE
                    x LIKE 'abc'                          ; x = 'abc'
                    x LIKE 'abc%'                         ; x LIKE 'abc%'
                    x IN ('a')                            ; x = 'a'
                    x IN ('b', 'a', 'b')                  ; x IN ('a', 'b')
                    x = 'b' OR x IN ('a', 'b')            ; x IN ('a', 'b')
                    x = 'b' OR y = 'b'                    ; x = 'b' OR y = 'b'
                    x <> 'a' AND x <> 'b'                 ; x <> 'a' AND x <> 'b'
                    x NOT IN ('a') AND NOT x = 'b'        ; x NOT IN ('a', 'b')
                    x = 'a' AND x IN ('a', 'b')           ; x = 'a'
                    x = 'a' AND x = 'b'                   ; FALSE
                    x = 'a' AND NOT x = 'a'               ; FALSE
                    x = 5 OR x <> 5                       ; x <> 5 OR x = 5
                    x OR NOT x                            ; NOT x OR x
                    x >= 1 AND x <= 2                     ; x BETWEEN 1 AND 2
                    x >= 1 AND x <= 2 AND x <= 3          ; x BETWEEN 1 AND 2
                    x > 1 AND x < 2                       ; x < 2 AND x > 1
                    x > 1 AND x > 2 AND x > 1.5           ; x > 2
                    x > 1 AND x = 2                       ; x = 2
                    x BETWEEN 1 AND 5 AND x < 4           ; x < 4 AND x >= 1
                    x BETWEEN 1 AND 5 AND x BETWEEN 3 AND 9 ; x BETWEEN 3 AND 5
                    x > 2 AND x < 1                       ; FALSE
                    x > 2 AND x <= 2                      ; FALSE
                    x = 1 AND x = 2                       ; FALSE
                    x BETWEEN 5 AND 3                     ; FALSE
                    y OR x > 2 AND x < 1                  ; y
                    NOT (x BETWEEN 5 AND 3)               ; NOT (x BETWEEN 5 AND 3)
                    x > 1 AND NOT (x > 5)                 ; x <= 5 AND x > 1
                    x > 5 AND NOT (x > 5)                 ; FALSE
                    NOT (x <= 1 OR x >= 5)                ; NOT (x <= 1) AND NOT (x >= 5)
                    x > 1 AND y < 2                       ; x > 1 AND y < 2
                    x > 1 AND x < y                       ; x < y AND x > 1
                    x > 1 AND x <> 2                      ; x <> 2 AND x > 1
                    x > 16777216 AND x >= 16777217        ; x > 16777216 AND x >= 16777217
                    x > 9007199254740993 AND x < 9007199254740994 ; FALSE
                    x NOT BETWEEN 1 AND 2                 ; x < 1 OR x > 2
                    x BETWEEN y AND 2                     ; x <= 2 AND x >= y
                    NOT 5 BETWEEN y AND z                 ; NOT (y <= 5) OR NOT (z >= 5)
                    NOT x BETWEEN 1 AND 2                 ; NOT (x BETWEEN 1 AND 2)
                    NOT (x > 2)                           ; NOT (x > 2)
                    1 + 1 = 2                             ; TRUE
                    1 = 1                                 ; TRUE
                    2 + 3 < 4                             ; FALSE
                    'a' = 'a'                             ; TRUE
                    'a' <> 'a'                            ; FALSE
                    TRUE <> FALSE                         ; TRUE
                    NOT ('a' = 'a')                       ; FALSE
                    2 BETWEEN 1 AND 3                     ; TRUE
                    2 NOT BETWEEN 1 AND 3                 ; FALSE
                    NOT 1 BETWEEN 2 AND 3                 ; TRUE
                    1 BETWEEN 1 / 0 AND 3                 ; FALSE
                    1 NOT BETWEEN 1 / 0 AND 3             ; FALSE
                    5 NOT BETWEEN 1 / 0 AND 3             ; TRUE
                    TRUE AND x                            ; x
                    x OR TRUE                             ; TRUE
                    NOT (x AND FALSE)                     ; TRUE
                    x OR 1 / 0 = 1                        ; x
                    NOT (x AND 1 / 0 = 1)                 ; NOT x
                    NOT 1 / 0 = 1                         ; FALSE
                    x > 2 * 50                            ; x > 100
                    2 * 50 < x                            ; x > 100
                    x = 7 / 2                             ; x = 3
                    x = 7 / 2.0                           ; x = 3.5
                    x = 1f / 3                            ; x = 0.33333334f
                    x = 1.0 / 3f                          ; x = 0.3333333333333333
                    x = -(2 + 3) * 2                      ; x = -10
                    x > 2 * 3 + 4 * y                     ; x > 6 + 4 * y
                    2 * 3 * x > 1                         ; 6 * x > 1
                    x * 2 * 3 > 1                         ; x * 2 * 3 > 1
                    x + (2 - 5) > 1                       ; x + -3 > 1
                    x = 9223372036854775807 + 1           ; x = -9223372036854775808
                    x = 7 / 0                             ; x = 7 / 0
                    x > 2 + 7 / 0 + 1                     ; x > 2 + 7 / 0 + 1
                    x < 1.0 / 0                           ; x < 1.0 / 0
                    x < 0.0 / 0                           ; x < 0.0 / 0
                    NOT (x > 10 - 5)                      ; NOT (x > 5)
                    x BETWEEN 1 + 1 AND 3 * 2             ; x BETWEEN 2 AND 6
                    x NOT BETWEEN 1 + 1 AND 3 * 2         ; x < 2 OR x > 6
                    a AND TRUE                            ; a
                    a AND FALSE                           ; FALSE
                    a OR 1 = 1                            ; TRUE
                    a OR (b AND 1 = 2)                    ; a
                    x LIKE '%'                            ; x LIKE '%'
                    """)
    void shouldBringIntoOneForm(String selector, String canonical) {
        // when
        Condition form = CanonicalForm.of(Selector.parse(selector).expression());

        // then
        assertThat(ExpressionPrinter.print(form)).isEqualTo(canonical);
    }

    @Test
    void shouldBeWhatAllRulesGiveOneAfterTheOther() {
        RandomSelectors selectors = new RandomSelectors(13);
        int changed = 0;
        for (int i = 0; i < 20_000; i++) {
            Condition normal = NegationNormalForm.of(selectors.condition(i % 4));
            Condition form = byAllRules(normal);
            assertThat(CanonicalForm.of(normal)).isEqualTo(form);
            changed += form.equals(normal) ? 0 : 1;
        }
        assertThat(changed).isBetween(5_000, 19_000);
    }

    /// Without any shortcut.
    private static Condition byAllRules(Condition node) {
        return switch (node) {
            case And(List<Condition> operands) ->
                    apply(CanonicalForm.OF_OPERANDS, CanonicalForm.and(ofAll(operands)));
            case Or(List<Condition> operands) ->
                    apply(CanonicalForm.OF_OPERANDS, CanonicalForm.or(ofAll(operands)));
            default -> apply(CanonicalForm.OF_LEAVES, node);
        };
    }

    private static List<Condition> ofAll(List<Condition> operands) {
        return operands.stream().map(CanonicalFormTest::byAllRules).toList();
    }

    private static Condition apply(List<RewriteRule> rules, Condition node) {
        Condition result = node;
        for (RewriteRule rule : rules) {
            result = rule.apply(result);
        }
        return result;
    }
}
