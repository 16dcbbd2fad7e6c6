package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;

/// A message is looked up by what leads to selectors, and by nothing else.
class LookedUpSlotsTest {
    private static final int SELECTORS = 100;
    private static final int LARGE = 20_000;

    private final SelectorIndex<String> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final List<SubscriberHandle<String>> entries = new ArrayList<>();
    private SlotValues values = new SlotValues();

    private void add(String selector) {
        entries.add(index.add(Selector.parse(selector), selector));
    }

    private List<String> match(Map<String, ?> message) {
        values = new SlotValues();
        MessageValues.set(values, index.slots(), message);
        List<String> matched = new ArrayList<>();
        index.match(values, matching, matched::add);
        return matched;
    }

    private boolean isLookedUp(String name) {
        return values.codes()[index.slots().slotOf(name)] != ValueCode.NOT_LOOKED_UP;
    }

    @Test
    void shouldNotLookUpAStringThatIsNoKey() {
        // given
        for (int i = 0; i < SELECTORS; i++) {
            add("a = 'a" + i + "' AND b = 'x'");
        }

        // when nothing hangs on what a is
        assertThat(match(Map.of("a", "other", "b", "x"))).isEmpty();

        // then
        assertThat(isLookedUp("a")).isTrue();
        assertThat(isLookedUp("b")).isFalse();

        // when something does, it is asked what b is
        assertThat(match(Map.of("a", "a5", "b", "x"))).containsExactly("a = 'a5' AND b = 'x'");

        // then
        assertThat(isLookedUp("b")).isTrue();
        assertThat(match(Map.of("a", "a5", "b", "y"))).isEmpty();
    }

    @Test
    void shouldLookUpAStringAsLongAsItIsAKey() {
        // given
        for (int i = 0; i < SELECTORS; i++) {
            add("a = 'a" + i + "' AND b = 'x'");
        }
        Map<String, String> message = Map.of("a", "other", "b", "x");
        assertThat(match(message)).isEmpty();

        // when
        add("b = 'x'");
        add("b = 'y'");

        // then
        assertThat(match(message)).containsExactly("b = 'x'");

        // when only selectors are left that have another key
        index.remove(entries.removeLast());
        index.remove(entries.removeLast());

        // then
        assertThat(match(message)).isEmpty();
        assertThat(isLookedUp("b")).isFalse();
    }

    /// @param count of selectors that share a key: few are kept otherwise than many
    @ParameterizedTest
    @ValueSource(ints = {2, 30, 300})
    void shouldTestSelectorsOfOneKeyByStringsThatAreNoKeys(int count) {
        // given others, by which a is the better key
        for (int i = 0; i < 1_000; i++) {
            add("a = 'a" + i + "'");
        }
        for (int i = 0; i < count; i++) {
            add("a = 'x' AND b = 'b" + i % 20 + "' AND c = 'c" + i / 20 + "'");
        }

        // then
        assertThat(match(Map.of("a", "x", "b", "b1", "c", "c0")))
                .containsExactly("a = 'x' AND b = 'b1' AND c = 'c0'");
        assertThat(match(Map.of("a", "x", "b", "b1", "c", "c"))).isEmpty();
        assertThat(match(Map.of("a", "a1", "b", "b1", "c", "c0"))).containsExactly("a = 'a1'");
        assertThat(isLookedUp("b")).isFalse();
    }

    @Test
    void shouldNotLookUpAStringBecauseOfSelectorsThatWantItToBeMissing() {
        // given
        add("b IS NULL");

        // then
        assertThat(match(Map.of("b", "x"))).isEmpty();
        assertThat(isLookedUp("b")).isFalse();
        assertThat(match(Map.of("a", "x"))).containsExactly("b IS NULL");
    }

    /// One that is read ahead.
    @Test
    void shouldLookUpOnlyKeysInALargeIndex() {
        // given
        for (int i = 0; i < LARGE; i++) {
            add("a = 'a" + i + "' AND b = 'b" + i % 5 + "'");
        }
        add("c = 'y'");
        add("c = 'z'");

        // then
        assertThat(match(Map.of("a", "other", "b", "b1", "c", "z"))).containsExactly("c = 'z'");
        assertThat(isLookedUp("a")).isTrue();
        assertThat(isLookedUp("b")).isFalse();
        assertThat(match(Map.of("a", "a6", "b", "b1", "c", "y")))
                .containsExactlyInAnyOrder("a = 'a6' AND b = 'b1'", "c = 'y'");
    }

    @Test
    void shouldMatchInSlicesInALargeIndex() {
        // given
        for (int i = 0; i < LARGE; i++) {
            add("a = 'a" + i + "' AND b = 'b" + i % 5 + "'");
        }
        for (int i = 0; i < SELECTORS; i++) {
            add("a" + i + " = 'x'");
            add("a" + i + " = 'y' AND b = 'b1'");
            add("a" + i + " = 'y' AND b = 'b" + i + "'");
        }
        Map<String, String> message = new HashMap<>(Map.of("a", "a6", "b", "b1"));
        for (int i = 0; i < SELECTORS; i++) {
            message.put("a" + i, i % 3 == 0 ? "x" : "y");
        }
        List<String> expected = match(message);

        // when
        List<String> matched = new ArrayList<>();
        MessageValues.set(values, index.slots(), message);
        int slices = Slices.match(index, values, Slices.matching(), matched::add);

        // then
        assertThat(expected).hasSize(1 + SELECTORS + 1);
        assertThat(matched).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(slices).isGreaterThan(10);
    }
}
