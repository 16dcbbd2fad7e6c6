package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.engine.Selector;
import winnow.selector.explain.Explanation;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Truth;
import winnow.selector.index.api.SelectorReport;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.report.Plan;
import winnow.selector.slot.SlotValues;

/// Several bounds of one name are found as one BETWEEN is.
class IntervalsOfBoundsTest {

    private static final List<Object> VALUES =
            List.of(
                    Long.MIN_VALUE,
                    -1,
                    (byte) 10,
                    (short) 11,
                    19,
                    20L,
                    21,
                    10f,
                    Math.nextUp(10f),
                    15.5f,
                    Math.nextDown(20f),
                    20f,
                    10.0,
                    Math.nextUp(10.0),
                    Math.nextDown(20.0),
                    20.0,
                    (1L << 53) - 1,
                    1L << 53,
                    (1L << 53) + 1,
                    (1L << 53) + 2,
                    0x1p53,
                    16_777_216,
                    16_777_217,
                    1.6777216E7f,
                    Long.MAX_VALUE,
                    0x1p63,
                    -0.0,
                    Double.NaN,
                    Float.NaN,
                    Double.POSITIVE_INFINITY,
                    Float.NEGATIVE_INFINITY,
                    "15",
                    "",
                    true,
                    new byte[] {15});

    private final SelectorIndex<String> index = new SelectorIndex<>(1);

    private SubscriberHandle<String> add(String selector) {
        return index.add(Selector.parse(selector), selector);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    a > 10 AND a < 20               ; a > 10 AND a < 20
                    a < 20 AND 10 < a               ; a > 10 AND a < 20
                    a >= 10 AND a < 20              ; a >= 10 AND a < 20
                    a > 10 AND a <= 20              ; a > 10 AND a <= 20
                    a > 10 AND NOT (a >= 20)        ; a > 10 AND a < 20
                    a > 5 AND a > 10 AND a < 20     ; a > 10 AND a < 20
                    a BETWEEN 10 AND 30 AND a < 20  ; a >= 10 AND a < 20
                    a >= 10 AND a <= 20             ; a BETWEEN 10 AND 20
                    a > 9 AND a <= 10 AND a >= 10   ; a = 10
                    """)
    void shouldBeOneInterval(String selector, String condition) {
        // when
        SelectorReport report = index.report(add(selector));

        // then
        assertThat(index.terms()).isOne();
        assertThat(report.access()).isEqualTo(SelectorReport.Access.EXACT);
        assertThat(report.keys()).extracting(SelectorReport.Key::text).containsExactly(condition);
        assertThat(Explanation.of(Selector.parse(selector)).plan().exact()).isTrue();
    }

    @Test
    void shouldFindTheComplementOfOutsideByTheInterval() {
        // given
        String selector = "NOT (a <= 10 OR a >= 20)";

        // when
        SelectorReport report = index.report(add(selector));

        // then
        assertThat(report.selector()).isEqualTo("NOT (a <= 10) AND NOT (a >= 20)");
        assertThat(report.keys())
                .extracting(SelectorReport.Key::text)
                .containsExactly("a > 10 AND a < 20", "a is present, but not a number");
        assertThat(Explanation.of(Selector.parse(selector)).plan().keys())
                .extracting(Plan.Key::text)
                .containsExactly("a > 10 AND a < 20", "a is present, but not a number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a > 20 AND a < 10",
                "a > 10 AND a <= 10",
                "a > 10 AND NOT (a > 10)",
                "a BETWEEN 20 AND 10",
                "a BETWEEN 10 AND 20 AND a = 21"
            })
    void shouldNeverBeTrueIfEmpty(String selector) {
        // when
        SelectorReport report = index.report(add(selector));

        // then
        assertThat(report.access()).isEqualTo(SelectorReport.Access.NOTHING);
        assertThat(index.terms()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a > 10 AND a < 20",
                "a >= 10 AND a < 20",
                "a > 10 AND a <= 20",
                "a > 10.0 AND a < 20f",
                "a > 10f AND a >= 10 AND a < 20.0",
                "NOT (a <= 10 OR a >= 20)",
                "NOT (a < 10.0) AND NOT (a > 20)",
                "NOT (a <= 20 OR a >= 10)",
                "a > 10 AND NOT (a >= 20)",
                "NOT (a > 10 AND a < 20)",
                "NOT (a <= 10 OR a >= 20) AND b IS NULL",
                "b IS NULL AND a >= 10 AND a < 20 AND a <> 15",
                "a > 9007199254740992 AND a < 9007199254740994",
                "a > 9007199254740992.0 AND a <= 9007199254740993",
                "a > 16777216 AND a >= 16777217",
                "a >= 16777217 AND a < 16777218f",
                "a > -0.0 AND a < 20 OR a > -2 AND a < 0",
                "a > 9223372036854775806 AND a <= 9223372036854775807",
                "a = 10 AND a > 9.5",
                "a BETWEEN 20 AND 10",
                "NOT (a BETWEEN 20 AND 10)",
                "a BETWEEN 20 AND 10 OR a IS NULL"
            })
    void shouldAcceptWhatTheReferenceAccepts(String selector) {
        // given
        Selector parsed = Selector.parse(selector);
        SubscriberHandle<String> entry = add(selector);
        List<@Nullable Object> all = new ArrayList<>(VALUES);
        all.add(null);

        for (Object value : all) {
            // when
            Map<String, Object> message = new HashMap<>();
            if (value != null) {
                message.put("a", value);
            }
            boolean expected =
                    new ReferenceInterpreter(message).evaluate(parsed.expression()) == Truth.TRUE;

            // then
            assertThat(matches(message)).as("%s for %s", selector, value).isEqualTo(expected);
        }
        index.remove(entry);
        assertThat(index.terms()).isZero();
    }

    private boolean matches(Map<String, Object> message) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), message);
        List<String> found = new ArrayList<>();
        index.match(values, new MatchScratch(), found::add);
        return !found.isEmpty();
    }
}
