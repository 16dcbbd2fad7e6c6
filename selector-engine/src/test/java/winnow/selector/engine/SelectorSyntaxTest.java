package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.error.InvalidSelectorSyntaxException;

class SelectorSyntaxTest {

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/say-what-is-wrong-and-where.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldSayWhatIsWrongAndWhere(
            String text, int column, String problem, @Nullable String suggestion) {
        // when
        var exception =
                catchThrowableOfType(
                        InvalidSelectorSyntaxException.class, () -> Selector.parse(text));

        // then
        assertThat(exception).as(text).isNotNull();
        assertThat(exception.problem()).isEqualTo(problem);
        assertThat(exception.line()).isEqualTo(1);
        assertThat(exception.column()).isEqualTo(column);
        assertThat(exception.suggestion().orElse(null)).isEqualTo(suggestion);
        assertThat(exception)
                .hasMessage(
                        "selector line 1 column %d: %s".formatted(column, problem)
                                + (suggestion == null ? "" : "; try: " + suggestion));
        if (suggestion != null) {
            assertThat(Selector.parse(suggestion).text()).isEqualTo(suggestion);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JMSDestination = 'x'",
                "JMSReplyTo IS NULL",
                "JMSExpiration > 0",
                "JMSRedelivered",
                "JMSDeliveryTime > 0",
                "JMSFoo = 1"
            })
    void shouldRefuseOtherHeaderFields(String text) {
        assertThatThrownBy(() -> Selector.parse(text))
                .isInstanceOf(InvalidSelectorSyntaxException.class)
                .hasMessageContaining("header field " + text.split(" ", -1)[0])
                .hasMessageContaining("JMSCorrelationID, JMSDeliveryMode, JMSMessageID");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\f\r\n"})
    void shouldLeaveBlankTextToTheCaller(String text) {
        assertThatThrownBy(() -> Selector.parse(text))
                .hasMessageContaining("expected a condition, found the end of the selector");
    }

    @Test
    void shouldCountLinesAndColumnsInCodePoints() {
        // when
        var exception =
                catchThrowableOfType(
                        InvalidSelectorSyntaxException.class,
                        () -> Selector.parse("a = 1\n  AND '\uD83D\uDE00' = = b"));

        // then
        assertThat(exception.line()).isEqualTo(2);
        assertThat(exception.column()).isEqualTo(11);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1AND b=2",
                "a = '\uD800'",
                "a IN ('\uDC00')",
                "a LIKE '\uD800%'",
                "\uD800 = 1",
                "a = 1 ;",
                "a == 1",
                "a =< 1",
                "a > = 1",
                "a IS MISSING",
                "LIKE = 1",
                "a = 5\u00A0",
                "a\u000B= 5",
                "5a = 1",
                "a ANDb",
                "x = --5",
                "a LIKE b",
                "a IN (b)",
                "a ESCAPE 'a'",
                "NOT",
                "a AND",
                "OR a",
                "()",
                "a (b)",
                "f(x) = 1"
            })
    void shouldRefuse(String text) {
        assertThatThrownBy(() -> Selector.parse(text))
                .isInstanceOf(InvalidSelectorSyntaxException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1",
                "a=1\tAND\fb=2\r\nOR\nc=3",
                "a='x'AND b=2",
                "NOT(a)OR(b)",
                "a IN('x','y')",
                "a=-5",
                "a=- 5",
                "a - -5 = 1",
                "a++5=1",
                "a<>-1",
                "a<-1",
                "(a) IS NULL",
                "a\u0000b = 1",
                "a\u200Bb = 1",
                "\u20AC = 1",
                "_ = 1",
                "$ = 1"
            })
    void shouldAccept(String text) {
        assertThat(Selector.parse(text).text()).isEqualTo(text);
    }

    @Test
    void shouldAcceptExactlyTheIdentifiersOfJava() {
        // Every code point of the scripts in daily use, and every 61st of the others.
        for (int c = 0; c <= Character.MAX_CODE_POINT; c += c < 0x600 ? 1 : 61) {
            // given
            boolean isStart = Character.isJavaIdentifierStart(c);
            boolean isPart = Character.isJavaIdentifierPart(c);

            // then
            assertThat(isSelector(Character.toString(c) + "x = 1"))
                    .as("start U+%X", c)
                    .isEqualTo(isStart || isPrefix(c));
            assertThat(isSelector("x" + Character.toString(c) + "x = 1"))
                    .as("part U+%X", c)
                    .isEqualTo(isPart || isBinary(c));
        }
    }

    /// White space and signs may stand before an identifier.
    private static boolean isPrefix(int c) {
        return isSpace(c) || c == '+' || c == '-';
    }

    /// Arithmetic may stand between two.
    private static boolean isBinary(int c) {
        return c == '+' || c == '-' || c == '*' || c == '/';
    }

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\n';
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
