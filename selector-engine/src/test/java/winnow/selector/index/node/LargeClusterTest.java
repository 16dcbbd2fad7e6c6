package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.structure.SparseInts;
import winnow.selector.slot.SlotValues;

/// Clusters that are so large that they have several blocks.
class LargeClusterTest {
    private static final int MANY = 24_000;
    private static final int KEYS = 8;
    private static final int LIMITS = 100;

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final SlotValues values = new SlotValues();
    private final Random random = new Random(1);
    private final Map<SubscriberHandle<Integer>, Wish> wishes = new LinkedHashMap<>();
    private int next;

    /// The key is `a`: a value of it is rarer than one of `k`. With two values there are two keys.
    private record Wish(int a, int otherA, int k, int least, int number) {
        Selector selector() {
            return Selector.parse(
                    "a IN ('a%d', 'a%d') AND k = 'k%d' AND n >= %d AND m <> %d"
                            .formatted(a, otherA, k, least, number));
        }

        boolean isTrue(int messageA, int messageK, int n) {
            return (a == messageA || otherA == messageA) && k == messageK && n >= least;
        }
    }

    private void add(int k) {
        int a = random.nextInt(KEYS);
        add(a, a, k);
    }

    private void add(int a, int otherA, int k) {
        Wish wish = new Wish(a, otherA, k, random.nextInt(LIMITS), next);
        wishes.put(index.add(wish.selector(), next), wish);
        next++;
    }

    private void remove(SubscriberHandle<Integer> entry) {
        index.remove(entry);
        wishes.remove(entry);
    }

    private void removeAllBut(int count) {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>(wishes.keySet());
        Collections.shuffle(entries, random);
        entries.subList(count, entries.size()).forEach(this::remove);
    }

    private void checkAll() {
        for (int a = 0; a < KEYS; a++) {
            for (int k = 0; k < 6; k++) {
                check(a, k, random.nextInt(LIMITS));
            }
        }
    }

    private void check(int a, int k, int n) {
        MessageValues.set(
                values, index.slots(), Map.of("a", "a" + a, "k", "k" + k, "n", n, "m", -1));
        List<Integer> matches = new ArrayList<>();
        index.match(values, matching, matches::add);

        assertThat(matches)
                .containsExactlyInAnyOrderElementsOf(
                        wishes.values().stream()
                                .filter(wish -> wish.isTrue(a, k, n))
                                .map(Wish::number)
                                .toList());
    }

    private Stream<Blocks> clusters() {
        Set<Object> clusters = new HashSet<>();
        wishes.keySet().forEach(entry -> clusters.add(Node.of(entry).keys().getFirst().cluster()));
        return clusters.stream().filter(Blocks.class::isInstance).map(Blocks.class::cast);
    }

    private List<Block> blocks() {
        return clusters().flatMap(blocks -> Stream.of(blocks.current())).toList();
    }

    @Test
    void shouldFindAllWhileBlocksGrowAndShrink() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < MANY; i++) {
                add(random.nextInt(3));
            }
            assertThat(places().isEmpty()).isFalse();
            checkAll();
            removeAllBut(3_000);
            checkAll();
            for (int i = 0; i < 3_000; i++) {
                add(3 + random.nextInt(3));
            }
            checkAll();
            for (int i = 0; i < MANY; i++) {
                add(random.nextInt(6));
                remove(wishes.keySet().iterator().next());
                if (i % 4_000 == 0) {
                    checkAll();
                }
            }
            checkAll();
        }
        SparseInts places = places();
        removeAllBut(0);
        assertThat(index.terms()).isZero();
        assertThat(places.isEmpty()).isTrue();
    }

    private SparseInts places() {
        return Node.of(wishes.keySet().iterator().next()).keys().getFirst().probe.placesOfNodes();
    }

    @Test
    void shouldFindNodesOfOneAndOfSeveralKeys() {
        for (int i = 0; i < MANY; i++) {
            int a = random.nextInt(KEYS);
            add(a, i % 3 == 0 ? (a + 1) % KEYS : a, random.nextInt(2));
        }
        assertThat(wishes.keySet()).anyMatch(entry -> Node.of(entry).keys().size() == 2);
        checkAll();
        removeAllBut(MANY / 2);
        checkAll();
        for (int i = 0; i < MANY / 2; i++) {
            add(random.nextInt(KEYS), random.nextInt(KEYS), random.nextInt(2));
            remove(wishes.keySet().iterator().next());
        }
        checkAll();
        removeAllBut(KEYS * 100);
        checkAll();
        SparseInts places = places();
        removeAllBut(0);
        assertThat(places.isEmpty()).isTrue();
    }

    @Test
    void shouldForgetPlacesWhenOneBlockIsLeft() {
        for (int i = 0; i < 1_500 * KEYS; i++) {
            add(random.nextInt(4));
        }
        assertThat(places().isEmpty()).isFalse();
        List<Blocks> clusters = clusters().toList();
        clusters.forEach(
                blocks -> Stream.of(blocks.current()).skip(1).forEach(block -> reduce(block, 0)));

        assertThat(clusters()).allMatch(blocks -> blocks.current().length == 1);
        assertThat(places().isEmpty()).isTrue();
        checkAll();
    }

    private void reduce(Block block, int size) {
        List<Node<?>> members = block.members();
        members.subList(size, members.size()).forEach(this::removeNode);
    }

    private void removeNode(Node<?> node) {
        remove(asKey(node));
    }

    @Test
    void shouldKeepFewBlocksForTheNodesThatAreLeft() {
        for (int i = 0; i < 2 * MANY; i++) {
            add(random.nextInt(4));
        }
        assertThat(blocks()).hasSizeGreaterThan(5 * KEYS);
        removeAllBut(MANY / 10);

        assertThat(blocks()).hasSizeLessThanOrEqualTo(3 * KEYS);
        long rows = blocks().stream().mapToLong(Block::rows).sum();
        assertThat(rows).isLessThan(4L * MANY / 10);
    }

    @Test
    void shouldLeaveABlockAsItIsWhenANodeLeaves() {
        for (int i = 0; i < 100 * KEYS; i++) {
            add(random.nextInt(4));
        }
        List<Block> before = blocks();
        removeAllBut(80 * KEYS);

        assertThat(before).hasSize(KEYS);
        assertThat(blocks()).containsExactlyInAnyOrderElementsOf(before);
    }

    @SuppressWarnings("unchecked") // A node is the handle of its only subscriber.
    private static SubscriberHandle<Integer> asKey(Node<?> node) {
        return (SubscriberHandle<Integer>) node;
    }
}
