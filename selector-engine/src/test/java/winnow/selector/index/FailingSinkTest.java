package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.MatchSink;
import winnow.selector.slot.SlotValues;

/// A sink that fails ends the match of its message, and changes nothing for the next one.
class FailingSinkTest {
    private static final int SELECTORS = 20;
    private static final Map<String, ?> FAILING = Map.of("a", 1, "b", "x", "c", "y", "d", 5);
    private static final Map<String, ?> NEXT = Map.of("a", 2, "b", "z", "c", "y", "d", 5);

    private final SelectorIndex<String> index = new SelectorIndex<>(1);

    private int called;

    private void add(String selector) {
        index.add(Selector.parse(selector), selector);
    }

    private SlotValues values(Map<String, ?> message) {
        SlotValues values = new SlotValues(1);
        MessageValues.set(values, index.slots(), message);
        return values;
    }

    private void fail(MatchScratch matching, int at, boolean sliced) {
        called = 0;
        MatchSink<String> failing =
                _ -> {
                    if (++called == at) {
                        throw new IllegalStateException("injected");
                    }
                };
        SlotValues values = values(FAILING);
        assertThatThrownBy(() -> match(values, matching, failing, sliced)).hasMessage("injected");
        assertThat(called).isEqualTo(at);
    }

    private void match(
            SlotValues values, MatchScratch matching, MatchSink<String> sink, boolean sliced) {
        if (sliced) {
            Slices.match(index, values, matching, sink);
        } else {
            index.match(values, matching, sink);
        }
    }

    /// @param at the call that fails
    @ParameterizedTest
    @ValueSource(ints = {1, 2, SELECTORS, SELECTORS + 1, 3 * SELECTORS + 1})
    void shouldMatchTheNextMessageAsIfThereHadBeenNone(int at) {
        // given some that hang on keys together, some alone, and one on none
        index.add(null, "all");
        for (int i = 0; i < SELECTORS; i++) {
            add("a = 1 AND d <> " + (10 + i));
            add("b = 'x' AND d < " + (10 + i));
            add("c IN ('y', 'y" + i + "') AND NOT d > " + (10 + i));
        }
        add("b = 'x'");
        add("b = 'z'");
        List<String> expected = matches(new MatchScratch(), false);
        assertThat(expected).hasSize(SELECTORS + 2);

        for (boolean sliced : new boolean[] {false, true}) {
            MatchScratch matching = sliced ? Slices.matching() : new MatchScratch();
            // when
            fail(matching, at, sliced);

            // then
            assertThat(matches(matching, sliced)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private List<String> matches(MatchScratch matching, boolean sliced) {
        List<String> matches = new ArrayList<>();
        match(values(NEXT), matching, matches::add, sliced);
        return matches;
    }

    @Test
    void shouldCallThoseWhoAskForNothingAsIfThereHadBeenNone() {
        // given
        for (int i = 0; i < SELECTORS; i++) {
            add("a = 1 AND d <> " + (10 + i));
        }
        index.add(null, "all");
        MatchScratch matching = Slices.matching();
        fail(matching, 2, true);

        // when
        List<String> matches = new ArrayList<>();
        boolean ended = index.beginUnasked(matching, matches::add);
        while (!ended) {
            ended = matching.resume();
        }

        // then
        assertThat(matches).containsExactly("all");
    }
}
