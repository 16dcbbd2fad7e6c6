package winnow.selector.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.Selector;
import winnow.selector.explain.Warning.Kind;

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
                                "<> does not match messages without p; add OR p IS NULL to include"
                                        + " them"));
    }
}
