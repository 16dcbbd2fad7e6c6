package winnow.selector.index.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Node;
import winnow.selector.slot.SlotValues;

/// Intervals come and go while a tree is made from another one. Rerun a failure with
/// `-Dwinnow.selector.seed=N`.
class IntervalsTest {

    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());
    private static final int MOST = 3_000;

    private final Random random = new Random(SEED);
    private final SelectorIndex<Range> index = new SelectorIndex<>(SEED);
    private final Map<Range, SubscriberHandle<Range>> entries = new HashMap<>();
    private final List<Range> ranges = new ArrayList<>();

    private record Range(int low, int high) {}

    private void add(int width) {
        int low = random.nextInt(100_000);
        Range range = new Range(low, low + 1 + random.nextInt(width));
        if (!entries.containsKey(range)) {
            String selector = "n BETWEEN " + range.low + " AND " + range.high;
            entries.put(range, index.add(Selector.parse(selector), range));
            ranges.add(range);
        }
    }

    private void removeOne() {
        int at = random.nextInt(ranges.size());
        index.remove(Objects.requireNonNull(entries.remove(ranges.get(at))));
        ranges.set(at, ranges.getLast());
        ranges.removeLast();
    }

    private void check() {
        int number = random.nextInt(101_000);
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("n", number));
        List<Range> found = new ArrayList<>();
        index.match(values, new MatchScratch(), found::add);
        Set<Range> expected = new HashSet<>(ranges);
        expected.removeIf(range -> number < range.low || number > range.high);
        assertThat(found).as("%d, seed %d", number, SEED).hasSize(expected.size());
        assertThat(new HashSet<>(found)).as("%d, seed %d", number, SEED).isEqualTo(expected);
    }

    private boolean isMaking() {
        SubscriberHandle<Range> first = Objects.requireNonNull(entries.get(ranges.getFirst()));
        Term key = Node.of(first).keys().getFirst();
        return key.probe.intervals().isMaking();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 500, 100_000})
    void shouldFindThemWhileATreeIsMade(int width) {
        System.out.println("IntervalsTest: -Dwinnow.selector.seed=" + SEED);
        int whileMaking = 0;
        for (int round = 0; round < 2; round++) {
            while (ranges.size() < MOST) {
                add(width);
                if (random.nextInt(4) == 0 && !ranges.isEmpty()) {
                    removeOne();
                }
                if (random.nextInt(32) == 0) {
                    check();
                    whileMaking += !ranges.isEmpty() && isMaking() ? 1 : 0;
                }
            }
            while (ranges.size() > 20) {
                removeOne();
                if (random.nextInt(32) == 0) {
                    check();
                    whileMaking += isMaking() ? 1 : 0;
                }
            }
        }
        assertThat(whileMaking).isGreaterThan(5);
        entries.values().forEach(index::remove);
        assertThat(index.terms()).isZero();
    }
}
