package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Leaf;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.NodeVisitor;
import winnow.selector.index.node.RowTests;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.Lookup;
import winnow.selector.index.term.PredicateTerm;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.SlotValues;

/// Selectors that get other keys.
class MoveTest {

    private static final String SELECTOR = "(a = '1' AND b = '2') OR (a = '1' AND c = '3')";

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);

    private SubscriberHandle<Integer> add(String selector, int subscriber) {
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
        SubscriberHandle<Integer> first = add(SELECTOR, 1_000);
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
        SubscriberHandle<Integer> second = add(SELECTOR, 1_001);

        // then
        assertThat(node.keys()).hasSize(2);
        Map<String, String> message = Map.of("a", "1", "c", "3");
        assertThat(match(message)).containsExactly(1_000, 1_001);

        index.detach(first);
        assertThat(match(message)).containsExactly(1_001);

        index.detach(second);
        assertThat(match(message)).isEmpty();
    }

    /// The clusters of the keys have several blocks.
    @Test
    void shouldFindNodesOfManyThatGetOneKeyOrTwo() {
        // given
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            entries.add(add("(" + SELECTOR + ") AND n <> " + i, i));
            for (String name : List.of("a = '1'", "b = '2'", "c = '3'")) {
                add(name + " AND m <> " + i, -1);
            }
        }
        Random random = new Random(1);

        // when
        for (int i = 0; i < 10_000; i++) {
            moveTo(Node.of(entries.get(random.nextInt(entries.size()))), random.nextBoolean());
        }

        // then
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (i % 3 == 0) {
                index.remove(entries.get(i));
            } else {
                expected.add(i);
            }
        }
        assertThat(match(Map.of("a", "1", "b", "2", "c", "3", "n", -1)))
                .hasSameSizeAs(expected)
                .hasSameElementsAs(expected);
        for (int i : expected) {
            index.remove(entries.get(i));
        }
        assertThat(match(Map.of("a", "1", "b", "2", "c", "3", "n", -1))).isEmpty();
    }

    private void moveTo(Node<Integer> node, boolean a) {
        Map<String, Integer> costs = Map.of("a", a ? 1 : 100, "b", 10, "c", 10, "n", 1_000);
        index.move(
                node,
                AccessKeys.of(
                        node.formula(),
                        term -> costs.get(index.slots().nameOf(term.probe.slot()))));
        assertThat(node.keys()).hasSize(a ? 1 : 2);
    }

    /// Each alternative is asked for under one key only, so that it has to be asked for under a key
    /// that stays when its own goes.
    @Test
    void shouldAskForEveryAlternativeWhicheverKeysThereAre() {
        // given
        for (int i = 0; i < 200; i++) {
            add("a = '1' AND n > " + i, i);
            add("c = '3' AND n > " + i, 300 + i);
        }
        SubscriberHandle<Integer> entry = add(SELECTOR, 1_000);
        Node<Integer> node = Node.of(entry);

        // then
        for (String cheap : List.of("a", "bc", "ac", "a", "ac", "bc", "ab", "a", "bc")) {
            index.move(
                    node,
                    AccessKeys.of(
                            node.formula(),
                            term -> {
                                String name = index.slots().nameOf(term.probe.slot());
                                int place = cheap.indexOf(name);
                                return place < 0 ? 100 : 10 - place;
                            }));
            assertThat(match(Map.of("a", "1", "b", "2"))).as(cheap).containsExactly(1_000);
            assertThat(match(Map.of("a", "1", "c", "3"))).as(cheap).containsExactly(1_000);
            assertThat(match(Map.of("b", "2", "c", "3"))).as(cheap).isEmpty();
        }
        index.detach(entry);
        assertThat(match(Map.of("a", "1", "c", "3"))).isEmpty();
    }

    /// A range is one selector's own where the selector asks for it, and shared where it is an
    /// alternative of a NOT.
    private SubscriberHandle<Integer> addWithOneRangeTwice() {
        return add("b = 'x' AND (price > 5 OR (NOT (price <= 5) AND c = '1'))", 1);
    }

    /// @param costOfC 1 for the keys price > 5 and c = '1', 10,000 for price alone
    private void move(SubscriberHandle<Integer> entry, int costOfC) {
        Node<Integer> node = Node.of(entry);
        int b = index.slots().slotOf("b");
        int c = index.slots().slotOf("c");
        index.move(
                node,
                AccessKeys.of(
                        node.formula(),
                        term ->
                                term.probe.slot() == b
                                        ? 100_000
                                        : term.probe.slot() == c ? costOfC : 100));
        assertThat(node.keys()).doesNotHaveDuplicates();
    }

    @Test
    void shouldForgetASelectorThatWasFoundByARangeThatItHasTwice() {
        // given
        SubscriberHandle<Integer> entry = addWithOneRangeTwice();
        move(entry, 1);
        move(entry, 10_000);

        // when
        index.remove(entry);

        // then
        assertThat(index.terms()).isZero();
        assertThat(index.probedSlots()).isZero();
    }

    @Test
    void shouldTellWhoGotTheNumberOfASelectorWithARangeTwice() {
        // given
        add("price > 5", 2);
        SubscriberHandle<Integer> entry = addWithOneRangeTwice();
        move(entry, 10_000);
        move(entry, 1);
        index.remove(entry);

        // when
        add("z = '7' AND (b2 = 'x' OR price > 3)", 3);

        // then
        assertThat(match(Map.of("price", 7, "b", "x", "z", "7", "b2", "x")))
                .containsExactlyInAnyOrder(2, 3);
    }

    @Test
    void shouldKeepASelectorThatHasItsKeyTwice() {
        // given: these two names have one slot
        String selector = "JMSXState = 'a' AND JMSXConsumerTXID = 'a' AND b = 'c'";

        // when
        SubscriberHandle<Integer> first = add(selector, 1);
        SubscriberHandle<Integer> second = add(selector, 2);
        SubscriberHandle<Integer> other = add("JMSXState = 'a' AND b > 5", 3);

        // then
        assertThat(index.selectors()).isEqualTo(2);
        assertThat(match(Map.of("b", "c"))).isEmpty();
        index.remove(first);
        index.remove(second);
        index.remove(other);
        assertThat(index.terms()).isZero();
        assertThat(index.slots().constants()).isZero();
        assertThat(index.probedSlots()).isZero();
    }

    /// Looks at the rows of one leaf.
    private static final class LeafVisitor extends NodeVisitor {
        private final Runnable whenAsked;
        private final List<Node<?>> found = new ArrayList<>();

        LeafVisitor(Runnable whenAsked) {
            this.whenAsked = whenAsked;
        }

        @Override
        public int asked(int number, SlotValues values) {
            whenAsked.run();
            return RowTests.TRUE;
        }

        @Override
        public void found(Node<?> node) {
            found.add(node);
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void node(Node<?> node) {
            throw new AssertionError();
        }

        @Override
        public void tell(int number, Object subscriber) {
            throw new AssertionError();
        }

        @Override
        public boolean isSampled() {
            throw new AssertionError();
        }

        @Override
        public void lookedThrough() {}

        @Override
        public void tested(int rows) {
            throw new AssertionError();
        }

        @Override
        public boolean test(Formula formula) {
            throw new AssertionError();
        }

        @Override
        public int bucket(SlotValues values, int slot, Buckets among) {
            throw new AssertionError();
        }

        @Override
        public void hitNodes(Object nodes) {
            throw new AssertionError();
        }

        @Override
        public void candidate(SharedTerm term) {
            throw new AssertionError();
        }

        @Override
        public void candidates(Object terms) {
            throw new AssertionError();
        }

        @Override
        public boolean remembered(PredicateTerm term, SlotValues values) {
            throw new AssertionError();
        }

        @Override
        public void lookedUp(int slots) {
            throw new AssertionError();
        }

        @Override
        protected void leave(Lookup rest) {
            throw new AssertionError();
        }

        @Override
        public boolean isIndexLarge() {
            throw new AssertionError();
        }

        @Override
        public void readAhead(int read) {
            throw new AssertionError();
        }
    }

    /// A pattern gets a number for rows when its node first hangs where there are rows: here while
    /// a row is tested whose pattern had the number before.
    @Test
    void shouldNotTakeWhoMovesIntoARowForWhoWasTested() {
        // given
        add("z = 'w'", 0);
        Node<Integer> moving = Node.of(add("z = 'x' AND k = 'a' AND s LIKE '%old%'", 1));
        for (int i = 0; i < 100; i++) {
            add("k = 'rare" + i + "' AND m > 0", 2);
        }
        Node<Integer> staying = Node.of(add("k = 'a' AND z = 'y' AND s LIKE '%stays%'", 3));
        add("k = 'a' AND z = 'y' AND s LIKE '%remains%'", 4);
        SubscriberHandle<Integer> gone = add("k = 'a' AND z = 'x' AND s LIKE '%gone%'", 5);
        int k = index.slots().slotOf("k");
        SharedTerm key = staying.keys().getFirst();
        assertThat(key.probe.slot()).isEqualTo(k);
        assertThat(moving.keys().getFirst().probe.slot()).isNotEqualTo(k);
        Object[] leaf = (Object[]) Objects.requireNonNull(key.cluster());
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("k", "a", "z", "x", "s", "gone"));

        // when
        LeafVisitor visitor =
                new LeafVisitor(() -> {
                    index.remove(gone);
                    index.move(
                            moving,
                            AccessKeys.of(
                                    moving.formula(), term -> term.probe.slot() == k ? 1 : 2));
                });
        Leaf.match(leaf, values, visitor, 0);

        // then
        assertThat(key.cluster()).isSameAs(leaf);
        assertThat(Arrays.asList(leaf)).contains(moving);
        assertThat(visitor.found).containsExactly(Node.of(gone));
    }
}
