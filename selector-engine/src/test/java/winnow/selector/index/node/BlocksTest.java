package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SelectorReport;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.SlotValues;

/// Many selectors under one key: what they cost, counted in selectors that are tested.
class BlocksTest {
    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();

    private SubscriberHandle<Integer> add(String selector, int subscriber) {
        return index.add(Selector.parse(selector), subscriber);
    }

    private List<Integer> match(Map<String, ?> message) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), message);
        List<Integer> matches = new ArrayList<>();
        index.match(values, matching, matches::add);
        return matches.stream().sorted().toList();
    }

    private long tested(Map<String, ?> message) {
        long before = matching.candidates();
        match(message);
        return matching.candidates() - before;
    }

    private static String ofNames(String prefix, int i) {
        return "k = 'a' AND %s1 = 'v%d' AND %s2 = 'v%d' AND %s3 = 'v%d'"
                .formatted(prefix, i % 20, prefix, i / 20 % 20, prefix, i / 400);
    }

    private static Map<String, String> message(String prefix) {
        return Map.of("k", "a", prefix + "1", "v3", prefix + "2", "v4", prefix + "3", "v5");
    }

    @Test
    void shouldTestFewOfThoseThatShareTheirKey() {
        for (int i = 0; i < 4_000; i++) {
            add(ofNames("g", i), i);
        }

        assertThat(match(message("g"))).containsExactly(5 * 400 + 4 * 20 + 3);
        assertThat(tested(message("g"))).isLessThan(200);
    }

    @Test
    void shouldTellAllSubscribersOfASelectorThatSharesItsKey() {
        Map<String, Object> message = Map.of("k", "a", "n", 1);
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            entries.add(add("k = 'a' AND n > " + i, i));
        }
        assertThat(match(message)).containsExactly(0);

        SubscriberHandle<Integer> second = add("k = 'a' AND n > 0", 1_000);
        assertThat(match(message)).containsExactly(0, 1_000);

        index.remove(entries.get(0));
        assertThat(match(message)).containsExactly(1_000);

        index.detach(second);
        assertThat(match(message)).isEmpty();

        add("k = 'a' AND n > 0", 2_000);
        assertThat(match(message)).containsExactly(2_000);
    }

    @Test
    void shouldTellNobodyWhoseSelectorHasNamesThatTheMessageWasReadWithout() {
        for (int i = 0; i < 200; i++) {
            add("k = 'a' AND n > " + i, i);
        }
        Map<String, Object> message = Map.of("k", "a", "n", 1, "late", 1);
        SlotValues early = new SlotValues();
        MessageValues.set(early, index.slots(), message);
        add("k = 'a' AND n > 0 AND late IS NULL", 1_000);

        List<Integer> matches = new ArrayList<>();
        index.match(early, matching, matches::add);

        assertThat(matches).containsExactly(0);
        assertThat(match(message)).containsExactly(0);
        assertThat(match(Map.of("k", "a", "n", 1))).containsExactly(0, 1_000);
    }

    @Test
    void shouldFollowWhenAllAreReplacedByOthers() {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            entries.add(add(ofNames("g", i), i));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4_000; i++) {
                index.remove(entries.get(i));
                entries.set(i, add(ofNames("h" + round, i), i));
            }
        }

        assertThat(match(message("h2"))).containsExactly(5 * 400 + 4 * 20 + 3);
        assertThat(tested(message("h2"))).isLessThan(1_000);
    }

    /// In more than 64 blocks, which become one again.
    @Test
    void shouldFindEachOfVeryManyToRemoveIt() {
        for (int i = 0; i < 100; i++) {
            add("k = 'rare" + i + "' AND m > 0", -2);
        }
        List<Integer> left = new ArrayList<>();
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 70_000; i++) {
            entries.add(add("k = 'a' AND n = " + i + " AND m > 0", i));
            left.add(i);
        }
        Random random = new Random(1);
        Collections.shuffle(left, random);
        while (left.size() > 1) {
            index.remove(entries.get(left.removeLast()));
            if (left.size() % 10_000 == 500 || left.size() == 10) {
                index.remove(entries.get(left.getFirst()));
                entries.set(left.getFirst(), add("k = 'a' AND n = 5 AND m > 1", -1));
                int some = left.get(left.size() / 2);
                assertThat(match(Map.of("k", "a", "n", some, "m", 1))).containsExactly(some);
            }
        }
        assertThat(match(Map.of("k", "a", "n", 5, "m", 2))).containsExactly(-1);
    }

    @Test
    void shouldFindEachOfVeryManyOfTwoKeysToRemoveIt() {
        int count = 70_000;
        List<Integer> left = new ArrayList<>();
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(add("k IN ('a', 'b') AND m <> " + i, i));
            left.add(i);
        }
        List<SharedTerm> keys = Node.of(entries.getFirst()).keys();
        assertThat(keys).hasSize(2);
        assertThat(keys)
                .allMatch(key ->
                        key.cluster() instanceof Blocks blocks
                                && blocks.current().length > count / Block.MAX_ROWS);
        Collections.shuffle(left, new Random(1));
        while (left.size() > 1) {
            index.remove(entries.get(left.removeLast()));
            if (left.size() % 10_000 == 500 || left.size() == 10) {
                int some = left.get(left.size() / 2);
                assertThat(match(Map.of("k", "b", "m", some)).stream().sorted())
                        .containsExactlyElementsOf(
                                left.stream().filter(i -> i != some).sorted().toList());
            }
        }
    }

    @Test
    void shouldChooseOtherColumnsWhenOthersHaveCome() {
        int count = 900;
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(add("k = 'a' AND g > " + i, i));
        }
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < count; i++) {
                index.remove(entries.get(i));
                entries.set(i, add("k = 'a' AND h > " + i, i));
            }
        }

        SelectorReport.Key key = index.report(entries.getLast()).keys().getFirst();
        assertThat(key.text()).isEqualTo("k = 'a'");
        assertThat(key.narrowedBy()).containsExactly("h");
    }

    @Test
    void shouldKeepThoseThatAreLeftOfMany() {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 8_000; i++) {
            entries.add(add("k = 'a' AND n > " + i + " AND m = " + i % 7, i));
        }
        for (int i = 0; i < 8_000; i++) {
            if (i % 100 != 0) {
                index.remove(entries.get(i));
            }
        }

        List<Integer> left =
                IntStream.range(0, 8_000).filter(i -> i % 100 == 0 && i % 7 == 3).boxed().toList();
        assertThat(match(Map.of("k", "a", "n", 9_000, "m", 3))).isEqualTo(left);
        for (int i = 0; i < 8_000; i += 100) {
            index.remove(entries.get(i));
        }
        assertThat(index.terms()).isZero();
    }

    @Test
    void shouldFindLargeSelectorsToo() {
        String many =
                IntStream.range(0, 300)
                        .mapToObj(i -> "p" + i + " IS NOT NULL")
                        .collect(Collectors.joining(" AND "));
        for (int i = 0; i < 200; i++) {
            add("k = 'a' AND n = " + i + " AND " + many, i);
        }
        Map<String, Object> message = new HashMap<>(Map.of("k", "a", "n", 7));
        IntStream.range(0, 300).forEach(i -> message.put("p" + i, i));

        assertThat(match(message)).containsExactly(7);
    }

    /// Ends of ranges do not tell where the messages are.
    @Test
    void shouldPreferAnEqualityToAnOpenRange() {
        SubscriberHandle<Integer> last = add("ts > 0 AND region = 'r0'", 0);
        for (int i = 1; i < 2_000; i++) {
            last = add("ts > " + 10 * i + " AND region = 'r" + i % 20 + "'", i);
        }

        assertThat(index.report(last).keys())
                .singleElement()
                .satisfies(key -> assertThat(key.text()).contains("region"));
        assertThat(tested(Map.of("ts", 100_000, "region", "r1"))).isLessThan(200);
    }
}
