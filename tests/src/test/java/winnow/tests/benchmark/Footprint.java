package winnow.tests.benchmark;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import winnow.selector.engine.Selector;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.slot.SlotValues;
import winnow.tests.selector.ArtemisPeer;
import winnow.tests.selector.ClassicPeer;

/// Prints the retained heap per selector: what is left after a full collection, with the handles to
/// remove selectors and without their texts, divided by their number.
final class Footprint {

    private static final int COLLECTIONS = 4;

    /// A handle must not vanish, and what it costs is not the selector's.
    private static Object[] handles = {};

    private Footprint() {}

    /// Makes the handle of the i-th selector.
    @FunctionalInterface
    private interface Subscribing {
        Object add(int i) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        for (int n : new int[] {100_000, 1_000_000}) {
            ofIndex("index, mixed", Workloads.market(n, 0).selectors());
            ofIndex("index, 1 % substrings", Workloads.market(n, 1).selectors());
        }
        ofIndex("index, different strings", Workloads.equality(1_000_000).selectors());
        ofIndex("index, identical", Workloads.identical(1_000_000).selectors());
        List<String> mixed = Workloads.market(100_000, 0).selectors();
        ArtemisPeer artemis = new ArtemisPeer();
        report("Artemis, mixed", mixed.size(), i -> artemis.parse(mixed.get(i)));
        ClassicPeer classic = new ClassicPeer();
        report("Classic, mixed", mixed.size(), i -> classic.parse(mixed.get(i)));
        identical();
    }

    private static void ofIndex(String name, List<String> selectors) throws Exception {
        SelectorIndex<String> index = new SelectorIndex<>(1);
        report(name, selectors.size(), i -> index.add(Selector.parse(selectors.get(i)), "one"));
        Objects.requireNonNull(index);
    }

    private static void report(String name, int count, Subscribing subscribing) throws Exception {
        subscribing.add(0);
        handles = new Object[count];
        long before = usedBytes();
        for (int i = 0; i < count; i++) {
            handles[i] = subscribing.add(i);
        }
        long after = usedBytes();
        System.out.printf("%-28s %,10d %10.1f B%n", name, count, (after - before) / (double) count);
        Arrays.fill(handles, null);
    }

    private static long usedBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void identical() {
        SelectorIndex<String> index = new SelectorIndex<>(1);
        for (int i = 0; i < 160; i++) {
            index.add(Selector.parse("p LIKE '%0' AND p <> '#7'"), "one");
        }
        SlotValues values = new SlotValues();
        values.reset(index.slots());
        values.setString(index.slots().slotOf("p"), new byte[] {'#', '0'}, 0, 2);
        MatchScratch matching = new MatchScratch();
        index.match(values, matching, subscriber -> {});
        System.out.printf(
                "160 identical selectors: %d candidate, %d evaluated, %d calls%n",
                matching.candidates(), matching.tests(), matching.matches());
    }
}
