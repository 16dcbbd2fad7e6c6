package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.Selector;

/// What a change of a selector costs in the static structure for a workload, with the least work
/// around it that an index has: names and strings are looked up, and their uses counted; a table
/// tells if the same selector is there already; if not, it is put into the structure, or taken out
/// of it. One thread changes; another may match meanwhile, as [#match] does, with answers that may
/// be wrong, because nothing keeps the two apart.
final class ChurnFloor implements ChangingSelectors {

    private final StaticStructure structure;
    private final PackedTests tests = new PackedTests();

    /// By what they test.
    private final Map<Handle, Handle> known = new HashMap<>();

    /// As a [ChurnPopulation] has them, those that change.
    private final List<Selector> selectors;

    /// By selector, null if it is not there.
    private final @Nullable Handle[] handles;

    private final int firstChanging;
    private final List<int[]> messages;
    private long told;

    /// What is there for equal selectors.
    private static final class Handle {
        private final int[] tests;
        private final int hash;

        /// Number in the structure.
        private final int selector;

        private int uses = 1;

        Handle(int[] tests, int selector) {
            this.tests = tests;
            this.hash = Arrays.hashCode(tests);
            this.selector = selector;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Handle handle
                    && hash == handle.hash
                    && Arrays.equals(tests, handle.tests);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /// @param firstChanging number of the first selector that does not stay
    ChurnFloor(Workload workload, int firstChanging) {
        this.firstChanging = firstChanging;
        structure = StaticStructure.of(workload);
        messages = workload.messages().stream().map(Message::values).toList();
        handles = new Handle[workload.count()];
        for (int i = 0; i < workload.count(); i++) {
            structure.remove(i);
        }
        for (int i = 0; i < firstChanging; i++) {
            add(i, workload.selectors().get(i).parsed());
        }
        selectors =
                workload.selectors().stream()
                        .skip(firstChanging)
                        .map(Row.Generated::parsed)
                        .toList();
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < selectors.size(); i++) {
            if (random.nextBoolean()) {
                change(i);
            }
        }
    }

    /// Matches one message after the other until the thread is interrupted.
    void match() {
        for (int i = 0; !Thread.currentThread().isInterrupted(); i = (i + 1) % messages.size()) {
            structure.match(messages.get(i), _ -> told++);
        }
    }

    @Override
    public int changing() {
        return selectors.size();
    }

    @Override
    public Selector selector(int i) {
        return selectors.get(i);
    }

    @Override
    public boolean isThere(int i) {
        return handles[firstChanging + i] != null;
    }

    @Override
    public boolean change(int i, Selector selector) {
        int number = firstChanging + i;
        Handle handle = handles[number];
        if (handle == null) {
            add(number, selector);
        } else {
            handles[number] = null;
            remove(handle);
        }
        return handle == null;
    }

    private void add(int number, Selector selector) {
        Handle handle = new Handle(tests.acquire(selector.canonical().expression()), number);
        Handle same = known.putIfAbsent(handle, handle);
        if (same == null) {
            structure.add(number);
        } else {
            same.uses++;
            tests.release(handle.tests);
        }
        handles[number] = same == null ? handle : same;
    }

    private void remove(Handle handle) {
        if (--handle.uses == 0) {
            known.remove(handle);
            structure.remove(handle.selector);
            tests.release(handle.tests);
        }
    }

    /// How many different selectors there are.
    int size() {
        return known.size();
    }

    /// How many uses of names and strings these have.
    int uses() {
        return tests.uses();
    }

    /// The numbers of selectors that are true for a message.
    List<Integer> matches(int message) {
        List<Integer> found = new ArrayList<>();
        structure.match(messages.get(message), found::add);
        return found;
    }
}
