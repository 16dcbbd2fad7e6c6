package winnow.selector.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.Selector;
import winnow.selector.expression.Condition;
import winnow.selector.slot.Slots;

/// What does not depend on the message is calculated once, also where there is no index.
class ConstantPartsTest {

    private final SelectorCompiler compiler = new SelectorCompiler(new Slots(1));

    private static Condition condition(String selector) {
        return Selector.parse(selector).expression();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    1 = 1                     ; true  ; false
                    2 + 3 < 4                 ; false ; true
                    2 + 3 <> 4 + 1            ; false ; true
                    'a' = 'a'                 ; true  ; false
                    NOT ('a' = 'a')           ; false ; true
                    2 BETWEEN 1 AND 3         ; true  ; false
                    2 NOT BETWEEN 1 AND 3     ; false ; true
                    1 / 0 = 1                 ; false ; false
                    1 BETWEEN 1 / 0 AND 3     ; false ; false
                    5 BETWEEN 1 / 0 AND 3     ; false ; true
                    x AND FALSE               ; false ; true
                    x = 'a' OR 1 < 2          ; true  ; false
                    x = 'a' AND 1 / 0 = 1 AND 1 = 2 ; false ; true
                    """)
    void shouldBeConstant(String selector, boolean whenTrue, boolean whenFalse) {
        // when
        Condition condition = condition(selector);

        // then
        assertThat(compiler.whenTrue(condition)).isSameAs(Predicate.constant(whenTrue));
        assertThat(compiler.whenFalse(condition)).isSameAs(Predicate.constant(whenFalse));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    TRUE AND x = 'a'          ; StringEquals  ; PresentUnless
                    x = 'a' OR 1 > 2          ; StringEquals  ; PresentUnless
                    x = 'a' OR 1 / 0 = 1      ; StringEquals  ; Constant
                    x = 'a' AND 1 / 0 = 1     ; Constant      ; PresentUnless
                    x > 1 AND x < 5           ; NumberInRange ; AnyOf
                    """)
    void shouldBeLeftOut(String selector, String whenTrue, String whenFalse) {
        // when
        Condition condition = condition(selector);

        // then
        assertThat(compiler.whenTrue(condition).getClass().getSimpleName()).isEqualTo(whenTrue);
        assertThat(compiler.whenFalse(condition).getClass().getSimpleName()).isEqualTo(whenFalse);
    }
}
