package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.MatchPause;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;

/// Matches of messages with very many long strings, which are looked up in slices.
class LongStringSlicesTest {

    private static final int NAMES = 300;
    private static final String LONG_STRING = "z".repeat(8_000);

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final SlotValues values = new SlotValues();
    private final List<Integer> matches = new ArrayList<>();

    private void add(String selector, int subscriber) {
        index.add(Selector.parse(selector), subscriber);
    }

    private void message(Map<String, ?> message) {
        MessageValues.set(values, index.slots(), message);
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    /// Stops the match as often as it can be stopped.
    ///
    /// @param work only grows
    /// @return how much it grew in each slice
    private List<Long> workPerSlice(LongSupplier work) {
        MatchScratch matching = Slices.matching();
        List<Long> perSlice = new ArrayList<>();
        long before = work.getAsLong();
        boolean ended = index.begin(values, matching, matches::add);
        perSlice.add(work.getAsLong() - before);
        while (!ended) {
            before = work.getAsLong();
            ended = matching.resume();
            perSlice.add(work.getAsLong() - before);
        }
        return perSlice;
    }

    /// How many strings that are constants of their slot were looked up among these.
    private long lookedUp() {
        return IntStream.range(0, values.presentCount())
                .filter(i -> ValueCode.constant(values.codes()[values.presentSlots()[i]]) >= 0)
                .count();
    }

    /// Keys of their own, a key that leads to selectors that a bitmap or a row tells, and one
    /// selector that asks for all strings.
    @Test
    void shouldLookUpSomeStringsAmongConstantsInEachSlice() {
        // given
        Map<String, Object> message = new LinkedHashMap<>();
        StringBuilder all = new StringBuilder("first = 'a'");
        for (int name = 0; name < NAMES; name++) {
            message.put("s" + name, LONG_STRING + name);
            add("s%d = '%s'".formatted(name, LONG_STRING + name), name);
            add("first = 'a' AND s%d = '%s'".formatted(name, LONG_STRING + name), NAMES + name);
            add("first = 'a' AND s%d = '%s'".formatted(name, LONG_STRING + "x"), -1);
            all.append(" AND s").append(name).append(" <> 'x'");
        }
        add(all.toString(), 2 * NAMES);
        message.put("first", "a");
        message(message);

        // when
        List<Long> perSlice = workPerSlice(this::lookedUp);

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(2 * NAMES + 1));
        assertThat(lookedUp()).isEqualTo(NAMES + 1);
        assertThat(perSlice).allMatch(strings -> strings * LONG_STRING.length() < 75_000);
    }

    @Test
    void shouldCountWhatIsLookedUpAsWork() {
        // given
        Map<String, Object> message = new LinkedHashMap<>();
        for (int name = 0; name < NAMES; name++) {
            message.put("s" + name, LONG_STRING);
            add("s%d = 'x'".formatted(name), name);
        }
        message(message);
        List<Long> done = new ArrayList<>();

        // when
        boolean ended =
                index.begin(
                        values,
                        new MatchScratch(units -> {
                            done.add(units);
                            return 1;
                        }),
                        matches::add);

        // then each byte is an eighth of one that a pattern goes through
        assertThat(ended).isTrue();
        assertThat(done.getLast())
                .isBetween(
                        (NAMES - 10L) * LONG_STRING.length() / 8 / MatchPause.BYTES_PER_UNIT,
                        NAMES * (LONG_STRING.length() / 8L / MatchPause.BYTES_PER_UNIT + 3));
    }

    @Test
    void shouldGoOnWhereStringsWereSetTwice() {
        // given
        for (int name = 0; name < NAMES; name++) {
            add("s%d = 'x'".formatted(name), name);
        }
        values.reset(index.slots());
        for (String value : List.of(LONG_STRING, "x")) {
            for (int name = 0; name < NAMES; name++) {
                MessageValues.set(values, index.slots(), "s" + name, value);
            }
        }

        // when
        workPerSlice(this::lookedUp);

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(NAMES));
    }

    @Test
    void shouldLookUpOneLongBeginningInEachSlice() {
        // given
        Map<String, Object> message = new LinkedHashMap<>();
        for (int name = 0; name < NAMES; name++) {
            message.put("s" + name, LONG_STRING + "5");
            add("s%d LIKE '%s%%'".formatted(name, LONG_STRING), name);
        }
        message(message);

        // when
        List<Long> perSlice = workPerSlice(() -> values.scratch().scannedBytes);

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(NAMES));
        assertThat(perSlice.stream().mapToLong(bytes -> bytes).sum())
                .isGreaterThan((long) NAMES * LONG_STRING.length());
        assertThat(perSlice).allMatch(bytes -> bytes <= 2L * LONG_STRING.length());
    }

    /// A long pattern whose place is known, found by another condition.
    @ParameterizedTest
    @CsvSource({"_, %, 3500", "_, '', 3500", "z, %, 200", "z, _%, 200"})
    void shouldTestOneLongPatternInEachSlice(String character, String end, long least) {
        // given
        int selectors = 50;
        String head = character.repeat(4_000 - end.length());
        for (int i = 0; i < selectors; i++) {
            add("a = 1 AND s NOT LIKE '%s%d%s'".formatted(head, i, end), i);
        }
        message(Map.of("a", 1, "s", LONG_STRING));

        // when
        List<Long> perSlice = workPerSlice(() -> values.scratch().scannedBytes);

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(numbers(selectors));
        assertThat(perSlice.stream().mapToLong(bytes -> bytes).sum())
                .isGreaterThan(selectors * least);
        assertThat(perSlice).allMatch(bytes -> bytes <= 4_100);
    }
}
