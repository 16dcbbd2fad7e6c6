package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Block;
import winnow.selector.index.node.Node;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.Term;
import winnow.selector.slot.SlotValues;

/// Matches that are stopped and go on.
class SlicesTest {

    private static final int MANY = 3_000;
    private static final String LONG_STRING = "z".repeat(8_000);

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final SlotValues values = new SlotValues();
    private final List<Integer> matches = new ArrayList<>();
    private final List<Long> scannedPerSlice = new ArrayList<>();

    /// What the pause allows every other time; in between it stops the match.
    private int units;

    private int allowed;

    private final MatchScratch matching = new MatchScratch(this::unitsAllowed);

    private int unitsAllowed(long done) {
        allowed = allowed == 0 ? units : 0;
        return allowed;
    }

    private void message(Map<String, ?> message) {
        MessageValues.set(values, index.slots(), message);
    }

    private SubscriberHandle<Integer> add(String selector, int subscriber) {
        return index.add(Selector.parse(selector), subscriber);
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    /// Selectors that the message below matches, by what leads to them: blocks of nodes, a chunked
    /// cluster, many subscribers of one selector, patterns that are tested one by one, intervals.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 1 AND b >= -%d",
                "a = 1 OR c = %d",
                "a = 1",
                "s LIKE '_%%x%%' AND b >= -%d",
                "b > -%d"
            })
    void shouldDoALittleInEachSlice(String selector) {
        // given
        for (int i = 0; i < MANY; i++) {
            add(selector.formatted(i + 1), i);
        }
        message(Map.of("a", 1, "b", 0, "s", "axb"));
        units = 50;
        List<Integer> perSlice = new ArrayList<>();

        // when
        boolean ended = index.begin(values, matching, matches::add);
        int before = 0;
        while (!ended) {
            perSlice.add(matches.size() - before);
            before = matches.size();
            units = 0;
            ended = matching.resume();
        }

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(MANY));
        assertThat(perSlice).hasSizeGreaterThan(1).allMatch(count -> count <= Block.MAX_ROWS);
    }

    /// Selectors that go through a long string, by what leads to them: a block, a leaf, several
    /// blocks, terms that are tested for every message, patterns with one beginning.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "a = 1 AND s NOT LIKE '%z{0}z%'; 1000",
                "a = 1 AND s NOT LIKE '%z{0}z%'; 40",
                "a = 1 AND s NOT LIKE '%z{0}z%'; 2500",
                "s NOT LIKE '%z{0}z%'; 100",
                "s LIKE 'start%z{_}z%'; 100",
                "a = 1 AND (c = {0} OR s NOT LIKE '%z{0}z%'); 100"
            })
    void shouldTestOnePatternInEachSliceWhereStringsAreLong(String selector, int count) {
        // given
        for (int i = 0; i < count; i++) {
            add(selector.replace("{0}", "" + i).replace("{_}", "_".repeat(i)), i);
        }
        message(Map.of("a", 1, "s", "start" + LONG_STRING));

        // when
        List<Integer> perSlice = matchesPerSlice();

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(count));
        assertThat(perSlice).hasSizeGreaterThanOrEqualTo(count - 1).allMatch(told -> told <= 1);
    }

    @Test
    void shouldBreakOffTheTestOfASelectorWithManyPatterns() {
        // given
        int patterns = 50;
        String all =
                IntStream.range(0, patterns)
                        .mapToObj(i -> "s NOT LIKE '%z" + i + "z%'")
                        .collect(Collectors.joining(" AND "));
        add("a = 1 AND " + all, 0);
        add("a = 1 AND " + all + " AND s LIKE '%abc_d%'", 1);
        message(Map.of("a", 1, "s", LONG_STRING));

        // when
        matchesPerSlice();

        // then
        assertThat(matches).containsExactly(0);
        assertThat(scannedPerSlice)
                .hasSizeGreaterThanOrEqualTo(patterns)
                .allMatch(bytes -> bytes < 2L * LONG_STRING.length());
    }

    @Test
    void shouldLookUpOneLongStringInEachSlice() {
        // given
        int names = 30;
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("first", "a");
        List<Integer> expected = new ArrayList<>();
        for (int name = 0; name < names; name++) {
            message.put("s" + name, LONG_STRING + "n" + name + "end");
            for (int i = 0; i < 30; i++) {
                add("s%d LIKE '%%n%dend%%'".formatted(name, i), name * names + i);
            }
            expected.add(name * names + name);
            // Found by the first string, and tested for the last one.
            add("first = 'a' AND last = 'b' AND c%d IS NULL".formatted(name), 1_000 + name);
            expected.add(1_000 + name);
        }
        message.put("last", "b");
        message(message);

        // when
        matchesPerSlice();

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(scannedPerSlice)
                .hasSizeGreaterThanOrEqualTo(names)
                .allMatch(bytes -> bytes < 3L * LONG_STRING.length());
    }

    @Test
    void shouldLookUpSomeValuesInEachSlice() {
        // given
        int names = 3_000;
        Map<String, Object> message = new LinkedHashMap<>();
        for (int name = 0; name < names; name++) {
            add("n%d BETWEEN 10 AND 20 AND m = 1".formatted(name), name);
            message.put("n" + name, 5);
        }
        message(message);

        // when
        List<Integer> perSlice = matchesPerSlice();

        // then
        assertThat(matches).isEmpty();
        assertThat(perSlice).hasSizeGreaterThan(names / 50);
    }

    /// Texts that contain each other, in several automata, of which each occurs several times.
    @ParameterizedTest
    @ValueSource(ints = {200, 1_000, 20_000})
    void shouldLookUpAPieceOfALongStringInEachSlice(int length) {
        // given
        for (int i = 0; i < MANY; i++) {
            String text = Integer.toString(i, 3).replace('0', 'x').replace('1', 'y');
            add("s LIKE '%z" + text + "%'", i);
            add("s LIKE '%" + text + "z%'", MANY + i);
            add("s LIKE '%y" + i + "%'", 2 * MANY + i);
        }
        StringBuilder string = new StringBuilder();
        Random random = new Random(length);
        while (string.length() < length) {
            string.append("xy2z".charAt(random.nextInt(4)));
        }
        message(Map.of("s", string.toString()));
        List<Integer> expected = new ArrayList<>();
        index.match(values, new MatchScratch(), expected::add);

        // when
        matchesPerSlice();

        // then
        assertThat(expected).hasSizeGreaterThan(50);
        assertThat(matches).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(scannedPerSlice)
                .filteredOn(bytes -> bytes > 0 && bytes <= 2 * 1024)
                .hasSizeGreaterThanOrEqualTo(length / 1024);
        assertThat(scannedPerSlice)
                .as("but for those that are not in an automaton yet")
                .filteredOn(bytes -> bytes > 2 * 1024)
                .hasSizeLessThanOrEqualTo(16)
                .allMatch(bytes -> bytes <= length);
    }

    /// Stops the match as often as it can be stopped.
    private List<Integer> matchesPerSlice() {
        return matchesPerSlice(_ -> {});
    }

    /// @param between is called with the number of slices that have ended
    private List<Integer> matchesPerSlice(IntConsumer between) {
        MatchScratch always = new MatchScratch(_ -> 0);
        List<Integer> perSlice = new ArrayList<>();
        boolean ended = false;
        for (boolean begun = false; !ended; begun = true) {
            int before = matches.size();
            long scanned = values.scratch().scannedBytes;
            ended = begun ? always.resume() : index.begin(values, always, matches::add);
            perSlice.add(matches.size() - before);
            scannedPerSlice.add(values.scratch().scannedBytes - scanned);
            between.accept(perSlice.size());
        }
        return perSlice;
    }

    @Test
    void shouldGoOnWhereItWas() {
        // given
        for (int i = 0; i < MANY; i++) {
            add("a = 1", i);
        }
        message(Map.of("a", 1));

        // when
        int slices = Slices.match(index, values, Slices.matching(), matches::add);

        // then
        assertThat(matches).isEqualTo(numbers(MANY));
        assertThat(slices).isGreaterThan(MANY / 100);
    }

    @Test
    void shouldCallThoseWhoStayWhenOthersComeAndGoBetweenSlices() {
        // given
        List<SubscriberHandle<Integer>> leaving = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            add("a = 1 AND b >= -" + i, i);
            leaving.add(add("a = 1 AND b >= -" + (MANY + i), MANY + i));
        }
        message(Map.of("a", 1, "b", 0));
        int[] added = {2 * MANY};

        // when
        Slices.match(
                index,
                values,
                Slices.matching(),
                matches::add,
                () -> {
                    for (int i = 0; i < 1_000 && !leaving.isEmpty(); i++) {
                        index.remove(leaving.removeLast());
                    }
                    add("a = 1 AND b >= -" + added[0], added[0]++);
                });

        // then
        assertThat(leaving).isEmpty();
        assertThat(matches).doesNotHaveDuplicates().containsAll(numbers(MANY));
    }

    @Test
    void shouldFindWhatMovesBetweenSlices() {
        // given
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            entries.add(add("a = 1 AND c = 1 AND b >= -" + i, i));
        }
        message(Map.of("c", 1, "a", 1, "b", 0));
        int[] moved = {0};

        // when
        Slices.match(
                index,
                values,
                Slices.matching(),
                matches::add,
                () -> {
                    for (int i = 0; i < 700; i++) {
                        moveToAnotherKey(entries.get(moved[0]++ % MANY));
                    }
                });

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(MANY));
        assertThat(moved[0]).isPositive();
    }

    private void moveToAnotherKey(SubscriberHandle<Integer> entry) {
        Node<Integer> node = Node.of(entry);
        Term key = node.keys().getFirst();
        index.move(node, AccessKeys.of(node.formula(), term -> term.equals(key) ? 100 : 1));
    }

    @Test
    void shouldTestOnePatternInEachSliceOfWhatMovedWhileTheMatchWasStopped() {
        // given
        int count = 100;
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(add("a = 1 AND c = 1 AND s NOT LIKE '%z" + i + "z%'", i));
        }
        message(Map.of("c", 1, "a", 1, "s", LONG_STRING));

        // when
        matchesPerSlice(slice -> {
            if (slice == 1) {
                entries.forEach(this::moveToAnotherKey);
            }
        });

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(count));
        assertThat(scannedPerSlice)
                .hasSizeGreaterThanOrEqualTo(count)
                .allMatch(bytes -> bytes < 2L * LONG_STRING.length());
    }

    @Test
    void shouldTellNobodyWhoLeftAfterTheirBlockWasReplacedBetweenSlices() {
        // given
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 2 * Block.MAX_ROWS + 500; i++) {
            entries.add(add("a = 1 AND b >= -" + i, i));
        }
        message(Map.of("a", 1, "b", 0));
        units = 50;
        boolean ended = index.begin(values, matching, matches::add);
        assertThat(ended).isFalse();

        // when
        int stayed = 2 * Block.MAX_ROWS;
        entries.subList(stayed, stayed + 450).forEach(index::remove);
        // They are in a smaller block now.
        entries.subList(stayed + 450, entries.size()).forEach(index::remove);
        while (!ended) {
            ended = matching.resume();
        }

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(stayed));
    }

    @Test
    void shouldForgetAMatchThatIsGivenUp() {
        // given
        for (int i = 0; i < MANY; i++) {
            add("a = 1", i);
        }
        add("a = 2", MANY);
        message(Map.of("a", 1));
        assertThat(index.begin(values, matching, matches::add)).isFalse();

        // when
        matching.abandon();
        matches.clear();
        message(Map.of("a", 2));
        units = Integer.MAX_VALUE;

        // then
        assertThat(index.begin(values, matching, matches::add)).isTrue();
        assertThat(matches).containsExactly(MANY);
    }

    @Test
    void shouldCallManyWhoAskForNothingInSlices() {
        // given
        for (int i = 0; i < MANY; i++) {
            index.add(null, i);
        }

        // when
        boolean ended = index.beginUnasked(matching, matches::add);
        int slices = 1;
        while (!ended) {
            ended = matching.resume();
            slices++;
        }

        // then
        assertThat(matches).isEqualTo(numbers(MANY));
        assertThat(slices).isGreaterThan(MANY / 100);
    }

    @Test
    void shouldReadStringsWhereTheyAreNow() {
        // given
        for (int i = 0; i < MANY; i++) {
            add("s LIKE '_%x' AND t = 'ab" + i % 2 + "' AND b >= -" + i, i);
        }
        message(Map.of("s", "abcx", "t", "ab1", "b", 0));
        int s = index.slots().slotOf("s");
        byte[] before = values.text(s);
        byte[] after = new byte[before.length + 7];
        System.arraycopy(before, 0, after, 7, before.length);

        // when
        Slices.match(
                index,
                values,
                Slices.matching(),
                matches::add,
                () -> {
                    values.moveStrings(before, after, 7);
                    Arrays.fill(before, (byte) '?');
                });

        // then
        assertThat(matches)
                .containsExactlyInAnyOrderElementsOf(
                        numbers(MANY).stream().filter(i -> i % 2 == 1).toList());
    }
}
