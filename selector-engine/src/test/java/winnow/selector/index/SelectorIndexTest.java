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
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

class SelectorIndexTest {

    private final SelectorIndex<String> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final MatchScratch stopping = Slices.matching();

    private SubscriberHandle<String> add(@Nullable String selector, String subscriber) {
        return index.add(selector == null ? null : Selector.parse(selector), subscriber);
    }

    private List<String> match(Map<String, ?> message) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), message);
        List<String> matches = new ArrayList<>();
        index.match(values, matching, matches::add);
        List<String> sliced = new ArrayList<>();
        Slices.match(index, values, stopping, sliced::add);
        assertThat(sliced).containsExactlyInAnyOrderElementsOf(matches);
        return matches;
    }

    @Test
    void shouldCallSubscribersOfOneSelectorInOrderOfSubscription() {
        // given
        add("a = 1 AND b", "first");
        add("b AND 1 = a", "second");
        add("NOT (NOT b OR a <> 1)", "third");
        add("b = TRUE AND a = 1 AND b", "fourth");

        // when
        List<String> matches = match(Map.of("a", 1, "b", true));

        // then
        assertThat(index.selectors()).isEqualTo(2);
        assertThat(matches).containsExactlyInAnyOrder("first", "second", "third", "fourth");
        assertThat(matches).containsSubsequence("first", "second", "fourth");
    }

    @Test
    void shouldCallEachOfManyEqualSubscribersOnce() {
        // given
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            entries.add(add("p = 'x' OR q = 'x'", "s" + i));
        }

        // when
        for (int i = 0; i < 2_000; i++) {
            if (i % 3 == 0) {
                index.remove(entries.get(i));
            } else {
                expected.add("s" + i);
            }
        }
        expected.add("late");
        add("p = 'x' OR q = 'x'", "late");

        // then
        assertThat(index.selectors()).isOne();
        assertThat(match(Map.of("p", "x", "q", "x"))).isEqualTo(expected);
        assertThat(match(Map.of("p", "y"))).isEmpty();
    }

    @Test
    void shouldMatchEverythingWithoutSelector() {
        // given
        SubscriberHandle<String> all = add(null, "all");
        add("TRUE", "true");
        add("FALSE", "false");

        // then
        assertThat(match(Map.of())).containsExactly("all", "true");
        index.remove(all);
        assertThat(match(Map.of("p", 1))).containsExactly("true");
    }

    @Test
    void shouldForgetWhatIsRemoved() {
        // given
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (String selector :
                List.of("p = 'x'", "p = 'x' AND q > 5", "r LIKE 'ab%'", "NOT s > 5")) {
            entries.add(add(selector, selector));
        }

        // when
        entries.forEach(index::remove);
        entries.forEach(index::remove);

        // then
        assertThat(index.size()).isZero();
        assertThat(index.selectors()).isZero();
        assertThat(index.terms()).isZero();
        assertThat(index.probedSlots()).isZero();
        assertThat(index.slots().constants()).isZero();
        assertThat(index.slots().slotOf("p")).isEqualTo(-1);
        assertThat(match(Map.of("p", "x", "q", 6, "r", "abc", "s", 1))).isEmpty();
    }

    @Test
    void shouldNotMatchWithValuesOlderThanTheSelector() {
        // given
        SubscriberHandle<String> old = add("p = 'x'", "old");
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("p", "x"));

        // when
        index.remove(old);
        add("q = 'y'", "new");
        for (int i = 0; i < 50; i++) {
            add("r" + i + " IS NULL", "missing");
            add("q = r" + i + " OR p = r" + i, "two");
            add("q LIKE '%y' AND NOT r" + i + " = 1", "scanned");
        }
        List<String> matches = new ArrayList<>();
        index.match(values, matching, matches::add);

        // then
        assertThat(matches).isEmpty();
        assertThat(match(Map.of("q", "y"))).hasSize(51).contains("new", "missing");
        assertThat(match(Map.of("q", "y", "r1", "y"))).hasSize(52).contains("two", "scanned");
    }

    @Test
    void shouldMatchValuesOlderThanSlotsOfALargeIndex() {
        // given
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (int i = 0; i < 12_000; i++) {
            entries.add(add("p = 's" + i + "' OR q = 's" + i + "'", "" + i));
        }
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("p", "s7", "q", "s8"));

        // when
        for (int i = 0; i < 50; i++) {
            add("r" + i + " = 's7' OR r" + i + " = 's8'", "new");
        }
        List<String> matches = new ArrayList<>();
        index.match(values, matching, matches::add);

        // then
        assertThat(matches).containsExactlyInAnyOrder("7", "8");
        assertThat(match(Map.of("r1", "s8", "q", "s9"))).containsExactlyInAnyOrder("new", "9");
        entries.forEach(index::remove);
        assertThat(match(Map.of("r1", "s8", "q", "s9"))).containsExactly("new");
    }

    @Test
    void shouldLookOnlyAtWhatValuesLeadTo() {
        // given
        for (int i = 0; i < 1_000; i++) {
            add("symbol = 's" + i + "' AND price > " + i, "" + i);
        }
        long candidates = matching.candidates();

        // when
        List<String> matches = match(Map.of("symbol", "s7", "price", 8));

        // then
        assertThat(matches).containsExactly("7");
        assertThat(matching.candidates() - candidates).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    NOT (m > 2)                     ; 3 no, 2 yes, NaN yes, text yes, missing no
                    NOT (m BETWEEN 1 AND 2)         ; 3 yes, 2 no, NaN yes, text yes, missing no
                    m NOT BETWEEN 1 AND 2           ; 3 yes, 2 no, NaN no, text no, missing no
                    m <> 2                          ; 3 yes, 2 no, NaN yes, text no, missing no
                    NOT m = 2                       ; 3 yes, 2 no, NaN yes, text yes, missing no
                    m IS NULL                       ; 3 no, 2 no, NaN no, text no, missing yes
                    m IS NOT NULL                   ; 3 yes, 2 yes, NaN yes, text yes, missing no
                    m = 2 OR m <> 2                 ; 3 yes, 2 yes, NaN yes, text no, missing no
                    m LIKE '%'                      ; 3 no, 2 no, NaN no, text yes, missing no
                    m LIKE 'te_t%'                  ; 3 no, 2 no, NaN no, text yes, missing no
                    m IN ('text', 'text')           ; 3 no, 2 no, NaN no, text yes, missing no
                    m NOT IN ('text')               ; 3 yes, 2 yes, NaN yes, text no, missing no
                    m >= 2                          ; 3 yes, 2 yes, NaN no, text no, missing no
                    """)
    void shouldTellTypesApart(String selector, String verdicts) {
        // given
        add(selector, "it");
        Map<String, Object> values = new HashMap<>();
        values.put("3", 3);
        values.put("2", 2L);
        values.put("NaN", Double.NaN);
        values.put("text", "text");

        for (String verdict : verdicts.split(", ", -1)) {
            String[] parts = verdict.split(" ", -1);
            Object value = values.get(parts[0]);

            // when
            List<String> matches = match(value == null ? Map.of() : Map.of("m", value));

            // then
            assertThat(matches).as(verdict).hasSize(parts[1].equals("yes") ? 1 : 0);
        }
    }

    @Test
    void shouldFindManyWholeNumbersThatAreOneFloat() {
        // given: 131,072 neighbours of this number become the same float
        long first = (long) (float) 1_732_600_000_000L;
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add("" + i);
            entries.add(add("n = " + (first + i), "" + i));
        }

        // then
        assertThat(match(Map.of("n", first + 7))).containsExactly("7");
        assertThat(match(Map.of("n", (double) (first + 7)))).containsExactly("7");
        assertThat(match(Map.of("n", (float) first))).containsExactlyInAnyOrderElementsOf(all);

        // when
        entries.subList(0, 990).forEach(index::remove);

        // then
        assertThat(match(Map.of("n", (float) first)))
                .containsExactlyInAnyOrderElementsOf(all.subList(990, 1_000));
        entries.subList(990, 1_000).forEach(index::remove);
        assertThat(match(Map.of("n", (float) first))).isEmpty();
        assertThat(index.terms()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"16777217", "9007199254740993", "0.1", "0.1f", "5", "-0.0", "16777216f"})
    void shouldFindEqualNumbersOfEveryType(String literal) {
        // given
        add("n = " + literal, "it");
        Selector selector = Selector.parse("n = " + literal);
        List<Object> values =
                List.of(
                        16_777_217,
                        16_777_216f,
                        16_777_217d,
                        9_007_199_254_740_993L,
                        0.1,
                        0.1f,
                        9_007_199_254_740_992d,
                        9_007_199_254_740_992L,
                        (byte) 5,
                        5f,
                        5d,
                        0,
                        0.0,
                        -0.0f,
                        16_777_216,
                        (double) 0.1f);
        int found = 0;
        for (Object value : values) {
            // when
            List<String> matches = match(Map.of("n", value));

            // then
            Slots slots = new Slots();
            var matcher = selector.bind(slots);
            SlotValues linear = new SlotValues();
            MessageValues.set(linear, slots, Map.of("n", value));
            assertThat(!matches.isEmpty()).as("%s", value).isEqualTo(matcher.matches(linear));
            found += matches.size();
        }
        assertThat(found).isPositive();
    }

    @Test
    void shouldFindRangesOfCorrelationIds() {
        // given
        for (int i = 0; i < 100; i++) {
            index.add(Selector.ofCorrelationId("[#" + i + ";#" + (i + 2) + "]"), "" + i);
        }
        index.add(Selector.ofCorrelationId("[#007;#013]"), "padded");

        // then
        assertThat(match(Map.of("JMSCorrelationID", "#50")))
                .containsExactlyInAnyOrder("48", "49", "50");
        assertThat(match(Map.of("JMSCorrelationID", "#010"))).containsExactly("padded");
        assertThat(match(Map.of("JMSCorrelationID", "50"))).isEmpty();
        assertThat(match(Map.of("JMSCorrelationID", "#50x"))).isEmpty();
    }
}
