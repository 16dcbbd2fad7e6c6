package winnow.selector.index.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Patterns that begin with a wildcard, so many that they are found by automata.
class SubstringsTest {

    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final Random random = new Random(SEED);
    private final SelectorIndex<String> index = new SelectorIndex<>(SEED);
    private final MatchScratch matching = new MatchScratch();

    private SubscriberHandle<String> add(String pattern) {
        return index.add(Selector.parse("s LIKE '" + pattern + "'"), pattern);
    }

    private List<String> match(String value) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("s", value));
        List<String> matches = new ArrayList<>();
        index.match(values, matching, matches::add);
        return matches;
    }

    /// Of an alphabet so small that texts overlap, contain each other and repeat.
    private String text(int minLength, int maxLength) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(minLength, maxLength + 1); i > 0; i--) {
            text.append("aabé".charAt(random.nextInt(4)));
        }
        return text.toString();
    }

    private String pattern(int shortest) {
        return switch (random.nextInt(5)) {
            case 0 -> "%" + text(shortest, 7);
            case 1 -> "%" + text(shortest, 7) + "%" + text(0, 4) + "%";
            case 2 -> "_" + text(shortest, 7) + "%";
            default -> "%" + text(shortest, 8) + "%";
        };
    }

    private record Added(String pattern, SubscriberHandle<String> entry) {}

    private static boolean matches(String pattern, String value) {
        String regex = pattern.replace("%", ".*").replace("_", ".");
        return Pattern.matches(regex, value);
    }

    /// @param shortest text that is looked for
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 6})
    void shouldFindThePatternsThatMatchWhileTheyComeAndGo(int shortest) {
        System.out.println("SubstringsTest: -Dwinnow.selector.seed=" + SEED);
        List<Added> added = new ArrayList<>();
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            // given
            boolean shrinking = i / 400 % 2 == 1;
            if (!added.isEmpty() && random.nextInt(5) < (shrinking ? 4 : 1)) {
                int at = random.nextInt(added.size());
                index.remove(added.get(at).entry);
                added.set(at, added.getLast());
                added.removeLast();
            } else {
                String pattern = pattern(shortest);
                added.add(new Added(pattern, add(pattern)));
            }

            // when
            String value = text(0, 20);
            List<String> matches = match(value);

            // then
            List<String> expected =
                    added.stream()
                            .map(Added::pattern)
                            .filter(pattern -> matches(pattern, value))
                            .collect(Collectors.toCollection(ArrayList::new));
            found += expected.size();
            assertThat(matches)
                    .as("%s, seed %d", value, SEED)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(found).isGreaterThan(500);
        added.forEach(each -> index.remove(each.entry));
        assertThat(index.terms()).isZero();
        assertThat(index.probedSlots()).isZero();
    }

    @Test
    void shouldLookOnlyAtPatternsWhoseTextOccurs() {
        // given
        for (int i = 100; i < 900; i++) {
            add("%w" + i + "%");
            add("%x" + i);
        }
        add("%w55%");
        long candidates = matching.candidates();

        // when
        List<String> matches = match("a w555 and w556 and x555 again w555, x5");

        // then
        assertThat(matches).containsExactlyInAnyOrder("%w555%", "%w556%", "%w55%");
        assertThat(matching.candidates() - candidates).isEqualTo(3);
    }

    /// Every beginning of the value is a pattern, and every place in it ends hundreds of them.
    @Test
    void shouldReportEachOfManyNestedPatternsOnce() {
        // given
        for (int i = 1; i <= 500; i++) {
            add("%" + "a".repeat(i) + "%");
        }

        // when
        List<String> matches = match("a".repeat(50_000));

        // then
        assertThat(matches).hasSize(500).doesNotHaveDuplicates();
        assertThat(match("a".repeat(70) + "b" + "a".repeat(80))).hasSize(80);
    }
}
