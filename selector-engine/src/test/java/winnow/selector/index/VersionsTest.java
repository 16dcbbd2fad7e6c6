package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.Nodes;
import winnow.selector.index.node.Unobserved;
import winnow.selector.index.term.Formula;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// Selectors come and go without end, so versions pass every power of two.
class VersionsTest {

    private final SlotValues values = new SlotValues();

    @Test
    void shouldMatchASelectorHoweverManyVersionsAgoItCame() {
        // given
        Nodes<String> nodes = new Nodes<>();
        Node<String> node = node(0, 3);
        nodes.add(node);

        for (long version = 3; version < 1L << 34; version += 1 << 28) {
            // when
            for (int bucket = 0; bucket < 16; bucket++) {
                nodes.age(version);
            }

            // then
            values.reset(new Slots(1, version));
            assertThat(node.isNewerThan(values)).as("version %d", version).isFalse();
            Node<String> newer = node(1, version + 1);
            assertThat(newer.isNewerThan(values)).as("version %d", version).isTrue();
        }
    }

    private static Node<String> node(int number, long version) {
        return new Node<>(
                Formula.AllOf.ALWAYS, List.of(), true, number, version, new Unobserved(0));
    }

    @Test
    void shouldMatchSelectorsThatComeWhileVersionsPassTheLargestInt() {
        // given
        Slots slots = new Slots(1, Integer.MAX_VALUE - 20L);
        SelectorIndex<String> index = new SelectorIndex<>(slots, 1);
        index.add(Selector.parse("a = 1 AND x < 2"), "first");

        for (int i = 0; i < 40; i++) {
            // when
            index.add(Selector.parse("b" + i + " = 1 AND x < 2"), "new " + i);

            // then
            values.reset(slots);
            values.setInt(slots.slotOf("a"), 1);
            values.setInt(slots.slotOf("b" + i), 1);
            values.setInt(slots.slotOf("x"), 1);
            List<String> matched = new ArrayList<>();
            index.match(values, new MatchScratch(), matched::add);
            assertThat(matched).containsExactlyInAnyOrder("first", "new " + i);
        }
        assertThat(slots.version()).isGreaterThan(Integer.MAX_VALUE);
    }
}
