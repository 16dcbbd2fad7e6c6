package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.node.Node;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.slot.SlotValues;

/// Selectors that get other keys.
class MoveTest {

    private static final String SELECTOR = "(a = '1' AND b = '2') OR (a = '1' AND c = '3')";

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);

    private Entry<Integer> add(String selector, int subscriber) {
        return index.add(Selector.parse(selector), subscriber);
    }

    private List<Integer> match(Map<String, ?> message) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), message);
        List<Integer> matches = new ArrayList<>();
        index.match(values, new MatchScratch(), matches::add);
        return matches;
    }

    @Test
    void shouldTellWhoComesAndNotWhoLeavesAfterOneKeyBecameTwo() {
        // given
        for (int i = 0; i < 200; i++) {
            add("a = '1' AND n > " + i, i);
        }
        Entry<Integer> first = add(SELECTOR, 1_000);
        Node<Integer> node = Node.of(first);
        assertThat(node.keys()).hasSize(1);
        int a = index.slots().slotOf("a");
        int c = index.slots().slotOf("c");

        // when
        index.move(
                node,
                AccessKeys.of(
                        node.formula(),
                        term -> term.probe.slot() == c ? 1 : term.probe.slot() == a ? 2 : 4));
        Entry<Integer> second = add(SELECTOR, 1_001);

        // then
        assertThat(node.keys()).hasSize(2);
        Map<String, String> message = Map.of("a", "1", "c", "3");
        assertThat(match(message)).containsExactly(1_000, 1_001);

        index.detach(first);
        assertThat(match(message)).containsExactly(1_001);

        index.detach(second);
        assertThat(match(message)).isEmpty();
    }
}
