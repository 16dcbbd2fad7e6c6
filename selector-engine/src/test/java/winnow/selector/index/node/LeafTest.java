package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Truth;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.Slices;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Small clusters whose nodes ask for one interval each, those that become or cease to be such, and
/// rows that are vacant or taken over. Rerun a failure with `-Dwinnow.selector.seed=N`.
class LeafTest {
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    /// So many nodes have one key.
    private static final int NODES = 10;

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final MatchScratch inSlices = Slices.matching();
    private final SlotValues values = new SlotValues(1 << 20);
    private final SlotValues sampled = new SlotValues(1);
    private final Map<Integer, Selector> selectors = new TreeMap<>();
    private int added;

    /// With so many constants each is taken to be rare, so that the others hang on theirs.
    @BeforeEach
    void addOthers() {
        for (int i = 0; i < 100; i++) {
            index.add(Selector.parse("k = 'rare" + i + "' AND z > 0"), -1);
        }
    }

    private SubscriberHandle<Integer> add(String key, String condition) {
        Selector selector = Selector.parse("k = '" + key + "' AND " + condition);
        selectors.put(added, selector);
        return index.add(selector, added++);
    }

    /// Adds them under as many keys as they need, `a0`, `a1` and so on.
    private int addAll(List<String> conditions) {
        for (int i = 0; i < conditions.size(); i++) {
            add("a" + i / NODES, conditions.get(i));
        }
        return (conditions.size() + NODES - 1) / NODES;
    }

    private void check(Map<String, ?> message) {
        ReferenceInterpreter reference = new ReferenceInterpreter(new HashMap<>(message));
        List<Integer> expected = new ArrayList<>();
        selectors.forEach((number, selector) -> {
            if (reference.evaluate(selector.expression()) == Truth.TRUE) {
                expected.add(number);
            }
        });
        List<Integer> found = new ArrayList<>();
        MessageValues.set(values, index.slots(), message);
        index.match(values, matching, found::add);
        assertThat(found.stream().sorted().toList()).as(message.toString()).isEqualTo(expected);
        found.clear();
        Slices.match(index, values, inSlices, found::add);
        assertThat(found.stream().sorted().toList()).as("slices").isEqualTo(expected);
        found.clear();
        MessageValues.set(sampled, index.slots(), message);
        index.match(sampled, matching, found::add);
        assertThat(found.stream().sorted().toList()).as("sampled").isEqualTo(expected);
    }

    private void checkNumbers(int keys) {
        for (int key = 0; key < keys; key++) {
            for (Object number : RowTestsTest.numbers()) {
                check(Map.of("k", "a" + key, "n", number));
            }
            check(Map.of("k", "a" + key));
        }
    }

    private long tests(Map<String, ?> message) {
        long before = matching.tests();
        MessageValues.set(values, index.slots(), message);
        index.match(values, matching, _ -> {});
        return matching.tests() - before;
    }

    @Test
    void shouldAgreeAboutClosedRanges() {
        List<String> conditions = new ArrayList<>();
        List<String> literals = RowTestsTest.LITERALS;
        for (int i = 0; i < literals.size(); i++) {
            for (int j = i % 3; j < literals.size(); j += 3) {
                conditions.add("n BETWEEN " + literals.get(i) + " AND " + literals.get(j));
            }
        }
        checkNumbers(addAll(conditions));
    }

    /// Their ends are floats that a code has all bits of, so none of their nodes is asked.
    @Test
    void shouldAgreeAboutRangesOfRoundNumbers() {
        List<String> conditions = new ArrayList<>();
        List<String> literals = List.of("-16777216", "-7", "0", "5", "5.5", "16777214");
        for (String low : literals) {
            conditions.add("n = " + low);
            conditions.add("n >= " + low);
            conditions.add("n <= " + low);
            for (String high : literals) {
                conditions.add("n BETWEEN " + low + " AND " + high);
            }
        }
        checkNumbers(addAll(conditions));
    }

    @Test
    void shouldAgreeAboutEveryComparison() {
        for (String operator : List.of("=", "<", "<=", ">", ">=")) {
            for (String literal : List.of("0", "-7", "0.1", "5.5", "16777216", "16777217.0f")) {
                String key = addBesideRound("n " + operator + " " + literal);
                for (Object number : RowTestsTest.numbers()) {
                    check(Map.of("k", key, "n", number));
                }
            }
        }
    }

    /// Floats next to each other, of which two each have one code.
    @Test
    void shouldAgreeAboutCodesThatCoincide() {
        for (float around : List.of(5f, -5f, 0.1f, -0.1f, 0f, 16_777_216f)) {
            List<Float> numbers = new ArrayList<>();
            float next = Math.nextDown(Math.nextDown(Math.nextDown(around)));
            for (int i = 0; i < 7; i++) {
                numbers.add(next);
                next = Math.nextUp(next);
            }
            for (float end : numbers) {
                checkNear(addBesideRound("n = " + literal(end)), numbers);
                checkNear(addBesideRound("n BETWEEN " + literal(end) + " AND 32000000"), numbers);
                checkNear(addBesideRound("n BETWEEN -32000000 AND " + literal(end)), numbers);
            }
        }
    }

    private void checkNear(String key, List<Float> numbers) {
        for (float number : numbers) {
            check(Map.of("k", key, "n", number));
            check(Map.of("k", key, "n", (double) number));
            check(Map.of("k", key, "n", Math.nextUp((double) number)));
            check(Map.of("k", key, "n", Math.nextDown((double) number)));
            check(Map.of("k", key, "n", (long) number));
        }
    }

    /// Adds a condition under a key of its own, beside one that needs no formula at its ends.
    ///
    /// @return the key
    private String addBesideRound(String condition) {
        String key = "b" + added;
        add(key, condition);
        add(key, "n BETWEEN 40000000 AND 50000000");
        return key;
    }

    /// All digits, so that the double is the same number.
    private static String literal(float number) {
        return new BigDecimal(number).toPlainString();
    }

    @Test
    void shouldAgreeAboutStringsNumbersAndMissingValuesOfOneName() {
        for (int i = 0; i < 8; i++) {
            add("strings", "n = 'v" + i + "'");
            add("mixed", "n = 'v" + i + "'");
            add("mixed", "n BETWEEN " + i + " AND " + (i + 2));
        }
        add("mixed", "n IS NULL");
        add("missing", "n IS NULL");
        add("missing", "n = 'v3'");
        List<Object> others = List.of("v0", "v3", "v7", "v8", "", 2, 3.5, 9, 9.5f, true);
        for (String key : List.of("strings", "mixed", "missing", "none")) {
            check(Map.of("k", key));
            check(Map.of("k", key, "m", 3));
            for (Object value : others) {
                check(Map.of("k", key, "n", value));
            }
        }
    }

    @Test
    void shouldAskForTheRestOfASelector() {
        add("two", "n BETWEEN 1 AND 9 AND m < 6");
        add("two", "n BETWEEN 2 AND 8 AND m > 3");
        add("one", "n BETWEEN 1 AND 9");
        add("one", "n BETWEEN 2 AND 8");
        add("one", "n BETWEEN 3 AND 7 AND m > 3");
        for (String key : List.of("one", "two")) {
            for (int m = 0; m < 9; m++) {
                for (int n = 0; n < 11; n++) {
                    check(Map.of("k", key, "n", n, "m", m));
                }
            }
            check(Map.of("k", key, "n", 5));
            check(Map.of("k", key, "m", 5));
        }
    }

    @Test
    void shouldTellNobodyWhoseNameIsNewerThanTheMessage() {
        index.add(Selector.parse("k <> 'late' AND z = 'other'"), -1);
        MessageValues.set(values, index.slots(), Map.of("k", "late", "n99", 5));
        for (int i = 0; i < 100; i++) {
            add("a" + i, "n" + i + " IS NOT NULL");
        }
        for (String condition : List.of("n99 BETWEEN 1 AND 9", "n99 < 7", "n99 IS NULL")) {
            add("late", condition);
        }

        List<Integer> found = new ArrayList<>();
        index.match(values, matching, found::add);

        assertThat(found).isEmpty();
        check(Map.of("k", "late", "n99", 5));
    }

    @Test
    void shouldNotAskTheFormulaForWholeNumbers() {
        for (int i = 0; i < 20; i++) {
            add("closed", "n BETWEEN " + 10 * i + " AND " + (10 * i + 10));
            add("equal", "n = " + i);
            add("string", "n = 'v" + i + "'");
        }

        assertThat(tests(Map.of("k", "closed", "n", 50))).isZero();
        assertThat(tests(Map.of("k", "closed", "n", 50.0))).isZero();
        assertThat(tests(Map.of("k", "closed", "n", 55))).isZero();
        assertThat(tests(Map.of("k", "equal", "n", 5L))).isZero();
        assertThat(tests(Map.of("k", "string", "n", "v7"))).isZero();
    }

    @Test
    void shouldAskTheFormulaAtAnOpenEndOnly() {
        for (int i = 0; i < 20; i++) {
            add("open", "n > " + 10 * i);
        }

        assertThat(tests(Map.of("k", "open", "n", 55))).isZero();
        assertThat(tests(Map.of("k", "open", "n", 50))).isEqualTo(1);
    }

    /// A leaf is written anew when the first node that asks for something else comes.
    @Test
    void shouldFollowWhileAllKindsComeAndGo() {
        System.out.println("LeafTest: -Dwinnow.selector.seed=" + SEED);
        Random random = new Random(SEED);
        List<String> others =
                List.of(
                        "m > 3",
                        "n > 2 AND m < 6",
                        "n IN ('v1', 'v2')",
                        "n <> 'v1'",
                        "n LIKE 'v%'",
                        "n NOT BETWEEN 3 AND 5",
                        "(n > 3 OR m > 4)",
                        "n IS NULL AND m IS NULL");
        Map<Integer, SubscriberHandle<Integer>> entries = new TreeMap<>();
        for (int round = 0; round < 2_000; round++) {
            boolean grows = round / 50 % 2 == 0;
            if (entries.isEmpty() || random.nextInt(4) > 0 == grows) {
                int low = random.nextInt(8);
                String condition =
                        switch (random.nextInt(12)) {
                            case 0 -> others.get(random.nextInt(others.size()));
                            case 1 -> "n IS NULL";
                            case 2 -> "n = 'v" + low + "'";
                            default -> "n BETWEEN " + low + " AND " + (low + random.nextInt(4));
                        };
                int number = added;
                entries.put(number, add("a", condition));
            } else {
                List<Integer> numbers = List.copyOf(entries.keySet());
                int gone = numbers.get(random.nextInt(numbers.size()));
                index.remove(Objects.requireNonNull(entries.remove(gone)));
                selectors.remove(gone);
            }
            Object value = random.nextBoolean() ? random.nextInt(12) : "v" + random.nextInt(9);
            check(Map.of("k", "a", "n", value));
            check(Map.of("k", "a", "n", value, "m", random.nextInt(9)));
            check(Map.of("k", "a"));
        }
    }

    /// What the selectors of a key hang in.
    private Object[] leaf(SubscriberHandle<Integer> entry) {
        Object cluster = Node.of(entry).keys().getFirst().cluster();
        assertThat(Leaf.is(cluster)).isTrue();
        return (Object[]) Objects.requireNonNull(cluster);
    }

    private void remove(int number, SubscriberHandle<Integer> entry) {
        index.remove(entry);
        selectors.remove(number);
    }

    private void checkSome() {
        for (int n = 0; n < 30; n++) {
            check(Map.of("k", "a", "n", n));
            check(Map.of("k", "a", "n", n, "m", n % 9));
        }
    }

    /// Selectors with one interval each, and others, by the rows that they have.
    private List<SubscriberHandle<Integer>> addTen(String otherCondition) {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            entries.add(add("a", "n BETWEEN " + i + " AND " + 2 * i + otherCondition));
        }
        return entries;
    }

    @Test
    void shouldTakeAVacantRowWithTheSameTests() {
        for (String otherCondition : List.of("", " AND m < 6")) {
            List<SubscriberHandle<Integer>> entries = addTen(otherCondition);
            Object[] before = leaf(entries.getFirst());
            int rows = Leaf.rows(before);
            int first = added - entries.size();
            remove(first + 3, entries.get(3));
            remove(first + 5, entries.get(5));
            assertThat(leaf(entries.getFirst())).isSameAs(before);
            assertThat(Leaf.size(before)).isEqualTo(rows - 2);
            checkSome();

            add("a", "n BETWEEN 5 AND 10" + otherCondition);
            assertThat(leaf(entries.getFirst())).isSameAs(before);
            assertThat(Leaf.size(before)).isEqualTo(rows - 1);
            checkSome();

            add("a", "n BETWEEN 3 AND 17" + otherCondition);
            assertThat(leaf(entries.getFirst())).isNotSameAs(before);
            assertThat(Leaf.rows(leaf(entries.getFirst()))).isEqualTo(rows);
            assertThat(Leaf.size(leaf(entries.getFirst()))).isEqualTo(rows);
            checkSome();
        }
    }

    @Test
    void shouldBecomeSmallerWhenHalfOfItIsVacant() {
        for (String otherCondition : List.of("", " AND m < 6")) {
            List<SubscriberHandle<Integer>> entries = addTen(otherCondition);
            int first = added - entries.size();
            for (int i = 0; i < 8; i++) {
                remove(first + i, entries.get(i));
                Object[] leaf = leaf(entries.getLast());
                assertThat(Leaf.size(leaf)).isEqualTo(10 - i - 1);
                assertThat(Leaf.rows(leaf)).isLessThan(2 * Leaf.size(leaf));
                checkSome();
            }
            remove(first + 8, entries.get(8));
            assertThat(Node.of(entries.get(9)).keys().getFirst().cluster())
                    .isSameAs(Node.of(entries.get(9)));
            checkSome();
            remove(first + 9, entries.get(9));
        }
    }

    @Test
    void shouldBecomeBlocksOnlyIfNoRowIsVacant() {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < Leaf.MAX_ROWS; i++) {
            entries.add(add("a", "n BETWEEN " + i + " AND " + 2 * i));
        }
        remove(7, entries.get(7));
        entries.set(7, add("a", "n BETWEEN 100 AND 200"));
        assertThat(Leaf.size(leaf(entries.get(7)))).isEqualTo(Leaf.MAX_ROWS);
        checkSome();

        SubscriberHandle<Integer> another = add("a", "n BETWEEN 100 AND 300");
        assertThat(Node.of(another).keys().getFirst().cluster()).isInstanceOf(Blocks.class);
        checkSome();
    }

    /// Another string takes the number of one that is gone, so that the tests look the same.
    @Test
    void shouldTellNobodyWhoTookARowWhileTheMessageIsMatched() {
        SubscriberHandle<Integer> staying = add("a", "s = 'other' AND m < 6");
        add("a", "s = 'another' AND m < 6");
        add("a", "s = 'third' AND m < 6");
        SubscriberHandle<Integer> gone =
                index.add(Selector.parse("k = 'a' AND s = 'gone' AND m < 6"), 1_000);
        // Lets the message look the string up before it comes to the leaf.
        SubscriberHandle<Integer> alone = index.add(Selector.parse("s = 'gone'"), 1_001);
        Object[] leaf = leaf(staying);
        int size = Leaf.size(leaf);
        int subscribers = index.size();
        MessageValues.set(values, index.slots(), Map.of("k", "a", "s", "gone", "m", 3));
        List<Integer> found = new ArrayList<>();
        Slices.match(
                index,
                values,
                inSlices,
                found::add,
                () -> {
                    if (index.size() == subscribers) {
                        index.remove(gone);
                        index.remove(alone);
                        add("a", "s = 'new' AND m < 6");
                    }
                });

        assertThat(leaf(staying)).isSameAs(leaf);
        assertThat(Leaf.size(leaf)).isEqualTo(size);
        assertThat(found).isSubsetOf(1_001);
        check(Map.of("k", "a", "s", "gone", "m", 3));
        check(Map.of("k", "a", "s", "new", "m", 3));
    }

    /// They have the same ends, but not the same row.
    @Test
    void shouldNotLetAnOpenRangeTakeTheRowOfAClosedOne() {
        List<SubscriberHandle<Integer>> entries = addTen("");
        Object[] closed = leaf(entries.getFirst());
        remove(5, entries.get(5));
        add("a", "n > 5 AND n < 10");
        assertThat(leaf(entries.getFirst())).isNotSameAs(closed);
        checkSome();

        SubscriberHandle<Integer> gone = add("b", "n > 5 AND n < 10");
        int number = added - 1;
        SubscriberHandle<Integer> staying = add("b", "n > 2 AND n < 20");
        add("b", "n > 3 AND n < 20");
        Object[] open = leaf(staying);
        remove(number, gone);
        add("b", "n BETWEEN 5 AND 10");
        assertThat(leaf(staying)).isNotSameAs(open);
        for (Object n : List.of(4, 5, 5.0, 6, 9, 10, 11)) {
            check(Map.of("k", "b", "n", n));
        }
    }

    /// What has no interval is asked by the number of its term, which is another's later.
    @Test
    void shouldAskWhoTookTheRowOfAPattern() {
        SubscriberHandle<Integer> staying = add("a", "s LIKE '%stays%'");
        add("a", "s LIKE '%remains%'");
        SubscriberHandle<Integer> gone = add("a", "s LIKE '%gone%'");
        Object[] leaf = leaf(staying);
        remove(added - 1, gone);
        check(Map.of("k", "a", "s", "who is gone, stays"));
        add("a", "s LIKE '%new%'");

        assertThat(leaf(staying)).isSameAs(leaf);
        assertThat(Leaf.size(leaf)).isEqualTo(3);
        check(Map.of("k", "a", "s", "who is gone, stays"));
        check(Map.of("k", "a", "s", "who is new, remains"));
    }
}
