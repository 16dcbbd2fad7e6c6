package winnow.tests.benchmark.rows;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/// The least that a change of a selector can cost: the selector is put into the fastest structure
/// for the workload, or taken out of it, and its text into a map or out of it, as any broker has
/// one. One thread changes; another may match meanwhile, as [#match] does, with answers that may be
/// wrong, because nothing keeps the two apart.
final class ChurnFloor {
    private static final int CHANGES_PER_LOOK = 64;

    private final StaticStructure structure;
    private final ConcurrentHashMap<String, Integer> registry = new ConcurrentHashMap<>();
    private final List<String> texts;
    private final boolean[] present;
    private final int firstChanging;
    private final List<int[]> messages;
    private long told;
    private final SplittableRandom random = new SplittableRandom(2);

    /// @param firstChanging number of the first selector that does not stay
    ChurnFloor(Workload workload, int firstChanging) {
        this.firstChanging = firstChanging;
        structure = StaticStructure.of(workload);
        texts = workload.texts();
        messages = workload.messages().stream().map(Message::values).toList();
        present = new boolean[workload.count()];
        for (int i = 0; i < present.length; i++) {
            present[i] = true;
            registry.put(texts.get(i), i);
        }
        for (int i = firstChanging; i < present.length; i++) {
            if (random.nextBoolean()) {
                change(i);
            }
        }
    }

    /// Adds and removes selectors at random for so long.
    double changesPerSecond(long nanos) {
        long start = System.nanoTime();
        long changes = 0;
        long now;
        do {
            for (int i = 0; i < CHANGES_PER_LOOK; i++) {
                change(firstChanging + random.nextInt(present.length - firstChanging));
            }
            changes += CHANGES_PER_LOOK;
            now = System.nanoTime();
        } while (now - start < nanos);
        return changes * 1e9 / (now - start);
    }

    /// Matches one message after the other until the thread is interrupted.
    void match() {
        for (int i = 0; !Thread.currentThread().isInterrupted(); i = (i + 1) % messages.size()) {
            structure.match(messages.get(i), _ -> told++);
        }
    }

    private void change(int selector) {
        if (present[selector]) {
            structure.remove(selector);
            registry.remove(texts.get(selector));
        } else {
            structure.add(selector);
            registry.put(texts.get(selector), selector);
        }
        present[selector] = !present[selector];
    }
}
