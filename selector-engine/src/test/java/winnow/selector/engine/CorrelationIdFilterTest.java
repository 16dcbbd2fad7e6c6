package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static winnow.selector.engine.Verdicts.truthOf;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Truth;

class CorrelationIdFilterTest {

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/correlation-id-filters.csv",
            delimiter = ',',
            quoteCharacter = '~',
            commentCharacter = '!')
    void shouldMatchACorrelationId(String filter, String correlationId, Truth expected) {
        // when
        Truth truth =
                truthOf(
                        Selector.ofCorrelationId(filter),
                        Map.of("JMSCorrelationID", correlationId));

        // then
        assertThat(truth).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/correlation-id-filter-errors.csv",
            delimiter = ',',
            quoteCharacter = '~',
            commentCharacter = '!')
    void shouldSayWhatIsWrongAndWhere(String filter, int column, String expected, String found) {
        // when
        var exception =
                catchThrowableOfType(
                        InvalidSelectorSyntaxException.class,
                        () -> Selector.ofCorrelationId(filter));

        // then
        assertThat(exception)
                .as(filter)
                .hasMessage(
                        "correlation ID filter line 1 column %d: expected %s, found %s"
                                .formatted(column, expected, found));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/correlation-id-filter-forms.csv",
            delimiter = ',',
            quoteCharacter = '~',
            commentCharacter = '!')
    void shouldBecomeAConditionOverTheHeaderField(String filter, String canonical) {
        // when
        Selector selector = Selector.ofCorrelationId(filter);

        // then
        assertThat(ExpressionPrinter.print(selector.expression()))
                .isEqualTo(canonical.replace("ID", "JMSCorrelationID"));
        assertThat(selector.text()).isEqualTo(filter);
    }

    @Test
    void shouldBeUnknownWithoutACorrelationId() {
        for (String filter : new String[] {"#7", "*", "[#7;#13]", "[;#13]", "a|b"}) {
            assertThat(truthOf(Selector.ofCorrelationId(filter), Map.of()))
                    .isEqualTo(Truth.UNKNOWN);
        }
    }

    @Test
    void shouldCombineWithASelector() {
        // given
        Selector both =
                Selector.and(Selector.ofCorrelationId("[#7;#13]"), Selector.parse("a OR b"));

        // then
        assertThat(both.text()).isEqualTo("([#7;#13]) AND (a OR b)");
        assertThat(truthOf(both, Map.of("JMSCorrelationID", "#9", "b", true)))
                .isEqualTo(Truth.TRUE);
        assertThat(truthOf(both, Map.of("JMSCorrelationID", "#6", "b", true)))
                .isEqualTo(Truth.FALSE);
        assertThat(truthOf(both, Map.of("JMSCorrelationID", "#9"))).isEqualTo(Truth.UNKNOWN);
    }
}
