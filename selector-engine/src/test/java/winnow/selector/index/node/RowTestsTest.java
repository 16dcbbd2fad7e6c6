package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Truth;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Rows must say what formulas say: for numbers of every type at the bounds of ranges, and for all
/// other conditions. Small clusters and blocks are both asked.
class RowTestsTest {
    private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");
    static final List<String> LITERALS =
            List.of(
                    "0",
                    "-0.0",
                    "5",
                    "5.5",
                    "-7",
                    "0.1f",
                    "0.1",
                    "16777216",
                    "16777217",
                    "16777217.0f",
                    "1700000000123",
                    "9007199254740991",
                    "9007199254740993",
                    "9007199254740992.0",
                    "9223372036854775807",
                    "-9223372036854775807",
                    "9.3e18",
                    "1e300",
                    "-3.5e38",
                    "1e-320");
    private static final int KEYS = 24;

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final SlotValues values = new SlotValues(1 << 20);
    private final List<Selector> selectors = new ArrayList<>();

    static Set<Object> numbers() {
        Set<Object> numbers = new LinkedHashSet<>();
        for (String literal : LITERALS) {
            double near = Double.parseDouble(literal.replace("f", ""));
            for (double number : List.of(near, Math.nextUp(near), Math.nextDown(near))) {
                numbers.add(number);
            }
            float single = (float) near;
            for (float number : List.of(single, Math.nextUp(single), Math.nextDown(single))) {
                numbers.add(number);
            }
            long exact = literal.contains(".") ? (long) near : (long) near + (long) (near % 10);
            for (long number = exact - 2; number != exact + 3; number++) {
                numbers.add(number);
            }
            numbers.add((int) exact);
        }
        numbers.addAll(List.of(Long.MAX_VALUE, Long.MIN_VALUE, 9007199254740993L, 1700000000123L));
        numbers.addAll(List.of(Double.NaN, Float.NaN, Double.NEGATIVE_INFINITY));
        numbers.addAll(List.of(Float.POSITIVE_INFINITY, (byte) 5, (short) -7, "5", true));
        return numbers;
    }

    private void add(String key, String condition) {
        Selector selector = Selector.parse("k = '" + key + "' AND " + condition);
        index.add(selector, selectors.size());
        selectors.add(selector);
    }

    private List<String> conditions() {
        List<String> conditions = new ArrayList<>();
        for (int i = 0; i < LITERALS.size(); i++) {
            for (String operator : OPERATORS) {
                conditions.add("n " + operator + " " + LITERALS.get(i));
                conditions.add("NOT (n " + operator + " " + LITERALS.get(i) + ")");
            }
            for (int j = 0; j < LITERALS.size(); j++) {
                String between = "n BETWEEN " + LITERALS.get(i) + " AND " + LITERALS.get(j);
                conditions.add(between);
                conditions.add("NOT (" + between + ")");
            }
        }
        return conditions;
    }

    private void check(Map<String, ?> message) {
        MessageValues.set(values, index.slots(), message);
        List<Integer> found = new ArrayList<>();
        index.match(values, matching, found::add);
        ReferenceInterpreter reference = new ReferenceInterpreter(new HashMap<>(message));
        List<Integer> expected =
                IntStream.range(0, selectors.size())
                        .filter(i ->
                                reference.evaluate(selectors.get(i).expression()) == Truth.TRUE)
                        .boxed()
                        .toList();
        assertThat(found.stream().sorted().toList()).as(message.toString()).isEqualTo(expected);
    }

    @Test
    void shouldAgreeAboutNumbersInSmallClusters() {
        List<String> conditions = conditions();
        for (int i = 0; i < conditions.size(); i++) {
            add("k" + i / KEYS, conditions.get(i));
        }
        for (Object number : numbers()) {
            for (int key = 0; key <= conditions.size() / KEYS; key += 3) {
                check(Map.of("k", "k" + key, "n", number));
            }
        }
    }

    @Test
    void shouldAgreeAboutNumbersInBlocks() {
        for (String condition : conditions()) {
            add("a", condition);
        }
        for (Object number : numbers()) {
            check(Map.of("k", "a", "n", number));
        }
        check(Map.of("k", "a"));
    }

    @Test
    void shouldAgreeAboutEveryOtherCondition() {
        List<String> conditions = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String value = "'v" + i + "'";
            conditions.add("s = " + value);
            conditions.add("s <> " + value);
            conditions.add("s IN (" + value + ", 'x', 'v" + (i + 3) + "')");
            conditions.add("s IN (" + value + ", 'x', 'a', 'b', 'c', 'd', 'e', 'f')");
            conditions.add("s NOT IN (" + value + ", 'x')");
            conditions.add("NOT (s = " + value + ")");
            conditions.add("s IS NULL AND t = " + value);
            conditions.add("s IS NOT NULL AND t <> " + value);
            conditions.add("s LIKE '%" + i + "' AND b = TRUE");
            conditions.add("(s = " + value + " OR t = " + value + ")");
        }
        for (int i = 0; i < conditions.size(); i++) {
            add("a", conditions.get(i));
            add("k" + i / KEYS, conditions.get(i));
        }
        List<Object> strings = new ArrayList<>(List.of("x", "e", "none", 5, true, Double.NaN));
        IntStream.range(0, 45).forEach(i -> strings.add("v" + i));
        for (String key : List.of("a", "k0", "k7", "k14", "z")) {
            for (Object value : strings) {
                check(Map.of("k", key, "s", value));
                check(Map.of("k", key, "t", value, "b", true));
                check(Map.of("k", key, "s", value, "t", "v7", "b", true));
            }
        }
    }

    /// Both alternatives hang on the same key, so each has to be asked for beside the other.
    @Test
    void shouldAgreeAboutAlternatives() {
        for (int i = 0; i < 120; i++) {
            String first = "n > " + i + " AND s <> 'v" + i % 7 + "'";
            String second = "n NOT BETWEEN " + (i - 9) + " AND " + (i + 50) + " AND t IS NULL";
            String third = "m = " + i % 5 + " AND s NOT IN ('v1', 'v" + i % 3 + "')";
            add(i < 30 ? "few" : "many", "(" + first + " OR " + second + ")");
            add(i < 10 ? "few" : "many", "(" + second + " OR " + third + " OR " + first + ")");
            add(i < 8 ? "few" : "many", "(" + third + " OR s LIKE 'v_' AND n < " + i + ")");
        }
        for (String key : List.of("few", "many")) {
            for (Object number : List.of(-10, 0, 8.5, 41, 50L, 63.0f, 500, Double.NaN, "v1")) {
                for (Object text : List.of("v0", "v1", "v3", "w", 7)) {
                    check(Map.of("k", key, "n", number, "s", text));
                    check(Map.of("k", key, "n", number, "s", text, "t", "t", "m", 3));
                    check(Map.of("k", key, "m", number, "s", text));
                }
            }
            check(Map.of("k", key));
        }
    }

    /// One of two keys that lead to both alternatives has nothing to ask.
    @Test
    void shouldAgreeAboutAlternativesThatAnotherKeyLeadsTo() {
        for (String condition : List.of("a = '0'", "b = '0'")) {
            add("none", condition);
        }
        for (int count : List.of(4, 40, 100)) {
            for (int i = selectors.size(); i < count; i++) {
                String first = "(b = '2' AND c = '" + i + "')";
                Selector selector =
                        Selector.parse(first + " OR (a = '1' AND b = '2' AND d = '" + i + "')");
                index.add(selector, selectors.size());
                selectors.add(selector);
            }
            for (String b : List.of("9", "2")) {
                check(Map.of("a", "1", "b", b));
                check(Map.of("a", "1", "b", b, "c", "3"));
                check(Map.of("a", "1", "b", b, "d", "3", "JMSCorrelationID", "x"));
            }
            check(Map.of("a", "1"));
        }
        Selector selector = Selector.parse("a = '1' AND JMSCorrelationID = 'x'");
        index.add(selector, selectors.size());
        selectors.add(selector);
        check(Map.of("a", "1", "b", "9"));
        check(Map.of("a", "1", "b", "9", "JMSCorrelationID", "x"));
    }

    /// So many keys are true that they are looked at before all values were looked up.
    @Test
    void shouldAgreeIfManyKeysAreTrue() {
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 3; j++) {
                Selector selector =
                        Selector.parse("a > " + i + " AND z IN ('v" + j + "', 'v9', 'w" + i + "')");
                index.add(selector, selectors.size());
                selectors.add(selector);
            }
        }
        for (int j = 0; j < 4; j++) {
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("a", 150);
            message.put("z", "v" + j);
            check(message);
        }
    }

    /// More tests than a row takes.
    @Test
    void shouldAskTheFormulaForTheRest() {
        for (int i = 0; i < 100; i++) {
            StringBuilder many = new StringBuilder("n0 >= " + i);
            for (int j = 1; j < 12; j++) {
                many.append(" AND n").append(j).append(" BETWEEN ").append(j).append(" AND 50");
            }
            add(i < 20 ? "few" : "many", many.toString());
        }
        for (String key : List.of("few", "many")) {
            Map<String, Object> message = new HashMap<>(Map.of("k", key));
            IntStream.range(0, 12).forEach(i -> message.put("n" + i, 45));
            check(message);
            message.put("n11", 51);
            check(message);
        }
    }

    /// The array that a row is written into grows once, and then it may be full.
    @Test
    void shouldAgreeAboutRowsOfEveryLength() {
        for (int i = 0; i < 100; i++) {
            add("rare" + i, "m > 0");
        }
        List<String> conditions = new ArrayList<>();
        for (int ranges = 0; ranges <= 10; ranges++) {
            for (int strings = 0; strings <= 3; strings++) {
                for (String rest : List.of("", " AND (p = 1 OR q = 2)")) {
                    StringBuilder condition = new StringBuilder("r > 0" + rest);
                    for (int i = 0; i < ranges; i++) {
                        condition.append(" AND n" + i + " BETWEEN 1 AND 9");
                    }
                    for (int i = 0; i < strings; i++) {
                        condition.append(" AND s" + i + " = 'x'");
                    }
                    conditions.add(condition.toString());
                }
            }
        }
        for (int i = 0; i < conditions.size(); i++) {
            add("a" + i / 10, conditions.get(i));
        }
        for (int key = 0; key * 10 < conditions.size(); key++) {
            Map<String, Object> message = new HashMap<>(Map.of("k", "a" + key, "r", 1, "q", 2));
            IntStream.range(0, 10).forEach(i -> message.put("n" + i, 5));
            IntStream.range(0, 3).forEach(i -> message.put("s" + i, "x"));
            check(message);
            message.put("q", 3);
            check(message);
            message.put("s2", "y");
            check(message);
        }
    }

    @Test
    void shouldLookOnlyAtNodesThatMatch() {
        for (int i = 0; i < 100; i++) {
            add("rare" + i, "m > 0");
        }
        for (int i = 0; i < 40; i++) {
            add("a", "n BETWEEN " + 10 * i + " AND " + (10 * i + 9));
        }

        check(Map.of("k", "a", "n", 55));
        assertThat(matching.candidates()).isEqualTo(1);
        assertThat(matching.tests()).isZero();
        check(Map.of("k", "a", "n", 500));
        assertThat(matching.candidates()).isEqualTo(1);
    }

    /// In small clusters and in blocks.
    @Test
    void shouldAskNoFormulaForWhatIsExcluded() {
        for (int i = 0; i < 120; i++) {
            String key = i < 20 ? "few" : "many";
            add(key, "s NOT IN ('x', 'v" + i + "')");
            add(key, "NOT (s IN ('x', 'w" + i + "', 'y'))");
            add(key, "NOT (n BETWEEN " + i + " AND " + (500 + i) + ")");
        }
        for (String key : List.of("few", "many")) {
            check(Map.of("k", key, "s", "x", "n", 300));
            assertThat(matching.tests()).isZero();
            check(Map.of("k", key, "s", "v3", "n", 600.5));
            assertThat(matching.tests()).isZero();
            check(Map.of("k", key, "s", 7, "n", "x"));
            assertThat(matching.tests()).isZero();
        }
    }

    @Test
    void shouldForgetAnyNodeOfASmallCluster() {
        for (int gone = 0; gone < 5; gone++) {
            SelectorIndex<Integer> five = new SelectorIndex<>(1);
            List<SubscriberHandle<Integer>> entries = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                String selector = "k = 'a' AND n > " + i + (i % 2 == 0 ? "" : " AND m = " + i);
                entries.add(five.add(Selector.parse(selector), i));
            }
            for (int i = 0; i < 5; i++) {
                five.remove(entries.get((gone + i) % 5));
                int first = (gone + i) % 5;
                List<Integer> found = new ArrayList<>();
                MessageValues.set(values, five.slots(), Map.of("k", "a", "n", 9, "m", 3));
                five.match(values, new MatchScratch(), found::add);
                int start = gone;
                int removed = i;
                assertThat(found.stream().sorted().toList())
                        .as("%d removed, last %d", i + 1, first)
                        .isEqualTo(
                                IntStream.range(0, 5)
                                        .filter(each -> (each - start + 5) % 5 > removed)
                                        .filter(each -> each % 2 == 0 || each == 3)
                                        .boxed()
                                        .toList());
            }
        }
    }
}
