package winnow.tests.benchmark.rows;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.Selector;
import winnow.selector.index.Entry;
import winnow.selector.index.MatchSink;
import winnow.selector.index.Matching;
import winnow.selector.index.SelectorIndex;
import winnow.selector.slot.SlotValues;
import winnow.tests.benchmark.rows.Row.Generated;

/// The index with the selectors of one workload. Used by one thread.
final class Subject {
    private static final int COLLECTIONS = 3;
    private static final int CHANGED = 20_000;
    private static final int TUNINGS = 10;
    private static final int SELECTORS_PER_TUNING = 64;

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final SlotValues values = new SlotValues();
    private final Matching matching = new Matching();
    private final List<Message> messages = new ArrayList<>();
    private final double bytesPerSelector;
    private final double addMicros;
    private final double removeMicros;
    private final MatchSink<Integer> counting = _ -> {};
    private long messagesBefore;
    private long candidatesBefore;
    private long matchesBefore;
    private long matched;

    /// What a message has for the slots that selectors name.
    private record Message(List<Integer> slots, List<Object> values) {}

    /// Per message.
    record Counts(double candidates, double matches) {}

    Subject(Row row, List<Generated> selectors, List<@Nullable Integer[]> messages) {
        List<Selector> parsed = new ArrayList<>(CHANGED);
        long before = usedBytes();
        List<Entry<Integer>> entries = new ArrayList<>(selectors.size());
        for (int i = 0; i < selectors.size(); i++) {
            entries.add(index.add(Selector.parse(selectors.get(i).selector()), i));
        }
        bytesPerSelector = (usedBytes() - before) / (double) selectors.size() - 4;

        Random random = new Random(1);
        int[] changed =
                random.ints(0, selectors.size())
                        .distinct()
                        .limit(Math.min(CHANGED, selectors.size() / 2))
                        .toArray();
        for (int i : changed) {
            parsed.add(Selector.parse(selectors.get(i).selector()));
        }
        long start = System.nanoTime();
        for (int i : changed) {
            index.remove(entries.get(i));
        }
        long removed = System.nanoTime();
        for (int i = 0; i < changed.length; i++) {
            entries.set(changed[i], index.add(parsed.get(i), changed[i]));
        }
        addMicros = (System.nanoTime() - removed) / 1e3 / changed.length;
        removeMicros = (removed - start) / 1e3 / changed.length;

        Map<String, Integer> slots = new HashMap<>();
        for (@Nullable Integer[] message : messages) {
            this.messages.add(message(row.properties(message), slots));
        }
    }

    private Message message(Map<String, Object> properties, Map<String, Integer> slots) {
        Message message = new Message(new ArrayList<>(), new ArrayList<>());
        properties.forEach((name, value) -> {
            int slot = slots.computeIfAbsent(name, index.slots()::slotOf);
            if (slot >= 0) {
                message.slots.add(slot);
                message.values.add(
                        value instanceof String text
                                ? text.getBytes(java.nio.charset.StandardCharsets.UTF_8)
                                : value);
            }
        });
        return message;
    }

    private static long usedBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    double bytesPerSelector() {
        return bytesPerSelector;
    }

    double addMicros() {
        return addMicros;
    }

    double removeMicros() {
        return removeMicros;
    }

    void match(int message) {
        read(message);
        index.match(values, matching, counting);
        matched++;
    }

    int[] matchesOf(int message) {
        IntStream.Builder found = IntStream.builder();
        read(message);
        index.match(values, matching, found::add);
        return found.build().sorted().toArray();
    }

    private void read(int number) {
        Message message = messages.get(number);
        values.reset(index.slots());
        for (int i = 0; i < message.slots.size(); i++) {
            int slot = message.slots.get(i);
            if (message.values.get(i) instanceof byte[] text) {
                values.setString(slot, text, 0, text.length);
            } else {
                values.setInt(slot, (Integer) message.values.get(i));
            }
        }
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
