package winnow.selector.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.check.SelectorLimits;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// Text that a client sends to cost the broker time, memory or its stack. The timeout is far above
/// what is needed and only tells an exponential answer from a linear one.
@Timeout(60)
class HostileSelectorTest {

    private static final long SMALL_STACK_BYTES = 512 * 1024;

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/64-kilobytes-of.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldRefuse64KilobytesOf(String piece, String reason) {
        // given
        String unit = piece.replace("SURROGATE", "\uD800");
        String text = unit.repeat(65_536 / unit.length());

        // then
        assertThatThrownBy(() -> Selector.parse(text))
                .isInstanceOf(InvalidSelectorSyntaxException.class)
                .hasMessageContaining(reason)
                .message()
                .hasSizeLessThan(200);
        assertThatThrownBy(() -> Selector.parse(text + " ".repeat(unit.length())))
                .hasMessageContaining("at most 65536 characters (limit maxTextLength)");
    }

    @ParameterizedTest
    @ValueSource(strings = {" OR ", " AND "})
    void shouldTakeTenThousandConditions(String operator) {
        // given
        String text = String.join(operator, Collections.nCopies(10_000, "a"));

        // when
        List<Boolean> verdicts = onASmallStack(text);

        // then
        assertThat(verdicts).containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+", "-", "*", "/"})
    void shouldTakeTenThousandOperands(String operator) {
        // given
        String text = String.join(operator, Collections.nCopies(9_998, "n")) + " <> 7 OR a";

        // when
        List<Boolean> verdicts = onASmallStack(text);

        // then
        assertThat(verdicts.getFirst()).isTrue();
    }

    @Test
    void shouldRefuseMoreOperandsThanTheLimit() {
        // given
        String text = String.join(" OR ", Collections.nCopies(10_001, "a"));

        // then
        assertThatThrownBy(() -> Selector.parse(text))
                .hasMessage(
                        "selector line 1 column 50001: expected at most 10000 identifiers and"
                                + " literals (limit maxOperands), found more");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    (                 | a         | )  | 256
                    ~NOT ~            | a         | ~~ | 256
                    ~NOT (~           | a         | )  | 128
                    ~- ~              | n <> 9    | ~~ | 256
                    ~+(~              | n         | )  | 128
                    ~(a OR b AND ~    | a         | )  | 256
                    ~(n + n * ~       | n         | )  | 256
                    ~(a AND NOT(b OR ~| a         | )) | 85
                    """)
    void shouldNestAsDeepAsTheLimitAndNoDeeper(
            String open, String middle, String close, int times) {
        // given
        String text = nested(open, middle, close, times);
        String deeper = nested(open, middle, close, times + 1);

        // then
        assertThatCode(() -> onASmallStack(text)).doesNotThrowAnyException();
        assertThatThrownBy(() -> onASmallStack(deeper))
                .hasRootCauseInstanceOf(InvalidSelectorSyntaxException.class)
                .rootCause()
                .hasMessageContaining(
                        "at most 256 levels of parentheses, NOT and signs (limit maxDepth)");
    }

    private static String nested(String open, String middle, String close, int times) {
        String text = open.repeat(times) + middle + close.repeat(times);
        return text.contains("n") && !text.contains("<>") && !text.contains("NOT")
                ? text + " = 1"
                : text;
    }

    @Test
    void shouldRefuseMoreValuesOfInThanTheLimit() {
        // given
        var limits = new SelectorLimits(1_000_000, 10, 256, 32_768, 1_024, 1, 1);
        String atLimit = "s IN (" + String.join(",", Collections.nCopies(32_768, "'a'")) + ")";
        String above = "s IN (" + String.join(",", Collections.nCopies(32_769, "'a'")) + ")";

        // then
        assertThatCode(() -> Selector.parse(atLimit, limits)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.parse(above, limits))
                .hasMessageContaining("at most 32768 values of IN (limit maxInValues)");
    }

    @Test
    void shouldFindAStringAmongManyValuesOfIn() {
        // given
        String values =
                IntStream.range(0, 8_000)
                        .mapToObj(i -> "'" + i + "'")
                        .collect(Collectors.joining(","));
        Slots slots = new Slots(1);
        Matcher matcher = Selector.parse("s IN (" + values + ")").bind(slots);

        // then
        assertThat(matches(matcher, slots, "7999")).isTrue();
        assertThat(matches(matcher, slots, "8000")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b",
                "%aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab%",
                "%a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_b%",
                "%_a%_a%_a%_a%_a%_a%_a%_a%_a%_a%_a%_b%",
                "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%b"
            })
    void shouldMatchCatastrophicPatternsInOnePass(String pattern) {
        // given
        Slots slots = new Slots(1);
        Matcher matcher = Selector.parse("s LIKE '" + pattern + "'").bind(slots);

        // then
        assertThat(matches(matcher, slots, "a".repeat(1_000_000))).isFalse();
        assertThat(matches(matcher, slots, "a".repeat(1_000_000) + "b")).isTrue();
    }

    @Test
    void shouldMatchPatternsAsLongAsASelector() {
        // given
        Slots slots = new Slots(1);
        String half = "a".repeat(30_000);
        Matcher plain = Selector.parse("s LIKE '%" + half + "b%'").bind(slots);
        Matcher wild =
                Selector.parse("s LIKE '%" + "a_".repeat(511) + "b%" + half + "'").bind(slots);
        Matcher singles = Selector.parse("s LIKE '" + "_".repeat(60_000) + "%'").bind(slots);

        // then
        assertThat(matches(plain, slots, "a".repeat(500_000))).isFalse();
        assertThat(matches(plain, slots, "a".repeat(500_000) + "b")).isTrue();
        assertThat(matches(wild, slots, "a".repeat(500_000))).isFalse();
        assertThat(matches(wild, slots, "a".repeat(2_000) + "b" + half)).isTrue();
        assertThat(matches(singles, slots, "é".repeat(60_000))).isTrue();
        assertThat(matches(singles, slots, "é".repeat(59_999))).isFalse();
    }

    @Test
    void shouldRefuseAWildPartThatCannotBeSearchedInOnePass() {
        // given
        String atLimit = "s LIKE '%" + "a_".repeat(512) + "%'";
        String above = "s LIKE '%" + "a_".repeat(512) + "a%'";

        // then
        assertThatCode(() -> Selector.parse(atLimit)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.parse(above))
                .hasMessageContaining("(limit maxFloatingPart), found 1025");
    }

    @Test
    void shouldRefuseAFilterWithMoreAlternativesThanTheLimit() {
        // given
        String atLimit = String.join("|", Collections.nCopies(10_000, "a"));

        // then
        assertThatCode(() -> Selector.ofCorrelationId(atLimit)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.ofCorrelationId(atLimit + "|a"))
                .hasMessageContaining("at most 10000 alternatives (limit maxOperands)");
        assertThatThrownBy(() -> Selector.ofCorrelationId("a".repeat(65_537)))
                .hasMessageContaining("limit maxTextLength");
    }

    private static String repeated(String atom, int times, String operator) {
        return IntStream.range(0, times)
                .mapToObj(i -> atom.replace("NUMBER", Integer.toString(i)))
                .collect(Collectors.joining(operator));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    s LIKE '%a_NUMBER%'     | 128
                    s LIKE '%NUMBER%'       | 128
                    NOT s LIKE '%aNUMBER%_' | 128
                    s LIKE '%a_%b_%NUMBER%' | 128
                    s = t                   | 2048
                    s <> t                  | 2048
                    """)
    void shouldRefuseASelectorThatGoesThroughStringsTooOften(String atom, int times) {
        // given
        String atLimit = repeated(atom, times, " OR ");
        int column = atLimit.length() + " OR ".length() + 1;

        // then
        assertThatCode(() -> Selector.parse(atLimit)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.parse(repeated(atom, times + 1, " OR ")))
                .isInstanceOfSatisfying(
                        InvalidSelectorSyntaxException.class,
                        refused -> assertThat(refused.column()).isBetween(column, column + 20))
                .hasMessageContaining("(limit maxScannedBytes), found more");
        assertThatCode(() ->
                        Selector.parse(
                                repeated(atom, times + 1, " OR "),
                                SelectorLimits.DEFAULT.withScans(16_384, 4_194_304)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldCountAPartWithWildcardsOncePerMachineWord() {
        // given
        String eighth = "s LIKE '%" + "a_".repeat(512) + "%'";

        // then
        assertThatCode(() -> Selector.parse(repeated(eighth, 8, " OR ")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.parse(repeated(eighth, 8, " OR ") + " OR s LIKE '%a%'"))
                .hasMessageContaining("(limit maxScannedBytes), found more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "NUMBER", "NUMBER%", "%NUMBER", "NUM_BER%a", "_NUMBER_"})
    void shouldTakeManyPatternsThatEndWithTheirOwnText(String pattern) {
        assertThatCode(() -> Selector.parse(repeated("s LIKE '" + pattern + "'", 2_000, " OR ")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*NUMBER*", "[#NUMBER;]", "a*b?NUMBER*c"})
    void shouldRefuseAFilterThatGoesThroughCorrelationIdsTooOften(String item) {
        // given
        String atLimit = repeated(item, 128, "|");

        // then
        assertThatCode(() -> Selector.ofCorrelationId(atLimit + "|" + atLimit))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.ofCorrelationId(repeated(item, 129, "|")))
                .isInstanceOf(InvalidSelectorSyntaxException.class)
                .hasMessageStartingWith(
                        "correlation ID filter line 1 column " + (atLimit.length() + 2) + ":")
                .hasMessageContaining("(limit maxScannedBytes), found more");
        assertThatCode(() -> Selector.ofCorrelationId(repeated("[#NUMBER;#99999]", 2_000, "|")))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseAWildcardOfAFilterThatCannotBeSearchedInOnePass() {
        // given
        String atLimit = "#1|*" + "a?".repeat(512) + "*";
        String above = "#1|*" + "a?".repeat(512) + "a*";

        // then
        assertThatCode(() -> Selector.ofCorrelationId(atLimit).bind(new Slots(1)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Selector.ofCorrelationId(above).bind(new Slots(1)))
                .isInstanceOf(InvalidSelectorSyntaxException.class)
                .hasMessageStartingWith("correlation ID filter line 1 column 4: expected at most")
                .hasMessageContaining("(limit maxFloatingPart), found 1025");
    }

    private static boolean matches(Matcher matcher, Slots slots, String value) {
        SlotValues values = new SlotValues();
        values.reset(slots);
        byte[] utf8 = value.getBytes(UTF_8);
        values.setString(slots.slotOf("s"), utf8, 0, utf8.length);
        return matcher.matches(values);
    }

    /// Parses, prints, parses again, compiles and evaluates, all on a small stack; the verdicts
    /// with a true and with a false.
    private static List<Boolean> onASmallStack(String text) {
        AtomicReference<List<Boolean>> verdicts = new AtomicReference<>(List.of());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
                new Thread(
                        null,
                        () -> verdicts.set(throughEveryStage(text)),
                        "small-stack",
                        SMALL_STACK_BYTES);
        thread.setUncaughtExceptionHandler((_, thrown) -> failure.set(thrown));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
        return verdicts.get();
    }

    private static List<Boolean> throughEveryStage(String text) {
        Selector selector = Selector.parse(text);
        String printed = ExpressionPrinter.print(selector.expression());
        assertThat(printed).isNotEmpty();
        Slots slots = new Slots(1);
        Matcher matcher = selector.bind(slots);
        SlotValues values = new SlotValues();
        return List.of(
                matches(matcher, slots, values, true), matches(matcher, slots, values, false));
    }

    private static boolean matches(Matcher matcher, Slots slots, SlotValues values, boolean a) {
        values.reset(slots);
        values.setBoolean(slots.slotOf("a"), a);
        values.setLong(slots.slotOf("n"), 1);
        return matcher.matches(values);
    }
}
