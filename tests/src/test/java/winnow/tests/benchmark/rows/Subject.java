package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import winnow.selector.engine.Selector;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.tests.benchmark.rows.Row.Generated;

/// The index with the selectors of one workload. Used by one thread.
final class Subject implements Evaluator {
    private static final int CHANGED = 20_000;
    private static final int PARSED_AT_ONCE = 4_096;
    private static final int TUNINGS = 10;
    private static final int SELECTORS_PER_TUNING = 64;

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final SlotValues values = new SlotValues();
    private final MatchScratch matching = new MatchScratch();
    private final SlottedMessages messages;
    private final List<SubscriberHandle<Integer>> entries;
    private final Costs costs;
    private long messagesBefore;
    private long candidatesBefore;
    private long matchesBefore;
    private long matched;

    /// @param bytes of heap per selector that the index holds, handles included, without texts of
    ///   selectors and subscribers
    /// @param textBytes per selector that its text takes
    /// @param addMicros to add one in canonical form, in the mean
    /// @param removeMicros to remove one
    record Costs(double bytes, double textBytes, double addMicros, double removeMicros) {}

    /// Per message.
    record Counts(double candidates, double matches) {}

    Subject(Workload workload) {
        int count = workload.count();
        Integer[] subscribers = IntStream.range(0, count).boxed().toArray(Integer[]::new);
        // The parser's caches are not the index's.
        add(new SelectorIndex<>(1), workload, Arrays.copyOf(subscribers, Math.min(count, CHANGED)));
        long before = Heap.usedBytes();
        entries = add(index, workload, subscribers);
        long indexed = Heap.usedBytes();

        int[] changed =
                new Random(1)
                        .ints(0, count)
                        .distinct()
                        .limit(Math.min(CHANGED, count / 2))
                        .toArray();
        List<Selector> parsed =
                Arrays.stream(changed).mapToObj(i -> workload.selectors().get(i).parsed()).toList();
        long start = System.nanoTime();
        for (int i : changed) {
            index.remove(entries.get(i));
        }
        long removed = System.nanoTime();
        for (int i = 0; i < changed.length; i++) {
            entries.set(changed[i], index.add(parsed.get(i), subscribers[changed[i]]));
        }
        long added = System.nanoTime();
        costs =
                new Costs(
                        (indexed - before) / (double) count,
                        workload.textBytes() / (double) count,
                        (added - removed) / 1e3 / changed.length,
                        (removed - start) / 1e3 / changed.length);
        messages = new SlottedMessages(workload.messages(), index.slots());
    }

    private static List<SubscriberHandle<Integer>> add(
            SelectorIndex<Integer> index, Workload workload, Integer[] subscribers) {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>(subscribers.length);
        for (int from = 0; from < subscribers.length; from += PARSED_AT_ONCE) {
            List<Selector> parsed =
                    workload
                            .selectors()
                            .subList(from, Math.min(from + PARSED_AT_ONCE, subscribers.length))
                            .parallelStream()
                            .map(Generated::parsed)
                            .toList();
            for (int i = 0; i < parsed.size(); i++) {
                entries.add(index.add(parsed.get(i), subscribers[from + i]));
            }
        }
        return entries;
    }

    Costs costs() {
        return costs;
    }

    @Override
    public void match(int message, IntConsumer sink) {
        messages.read(message, values);
        index.match(values, matching, sink::accept);
        matched++;
    }

    /// What the broker does ten times a second.
    void tune() {
        for (int i = 0; i < TUNINGS; i++) {
            index.tune(SELECTORS_PER_TUNING);
        }
    }

    void startCounting() {
        messagesBefore = matched;
        candidatesBefore = matching.candidates();
        matchesBefore = matching.matches();
    }

    Counts counts() {
        double count = Math.max(1, matched - messagesBefore);
        return new Counts(
                (matching.candidates() - candidatesBefore) / count,
                (matching.matches() - matchesBefore) / count);
    }
}
