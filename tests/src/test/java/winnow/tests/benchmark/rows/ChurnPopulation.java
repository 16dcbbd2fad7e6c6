package winnow.tests.benchmark.rows;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;

/// Selectors that come and go: the last of a workload; the others stay. Written by one thread; any
/// thread may ask for the [#state] of one.
final class ChurnPopulation implements ChangingSelectors {
    private static final int STATES = 4;
    private static final int ABSENT = 0;
    private static final int PRESENT = 2;

    private final SelectorIndex<Integer> index;
    private final int firstChanging;
    private final List<Selector> changing;
    private final List<@Nullable SubscriberHandle<Integer>> entries = new ArrayList<>();

    /// How often a change of each selector began or ended. Written without atomic additions, which
    /// would wait for all writes of a change before they go on.
    private final AtomicIntegerArray states;

    /// Adds all that stay and half of the others.
    ///
    /// @param index that is empty
    /// @param firstChanging number of the first selector that does not stay
    ChurnPopulation(SelectorIndex<Integer> index, Workload workload, int firstChanging) {
        this.index = index;
        this.firstChanging = firstChanging;
        states = new AtomicIntegerArray(workload.count());
        for (int i = 0; i < firstChanging; i++) {
            index.add(workload.selectors().get(i).parsed(), i);
            states.set(i, PRESENT);
        }
        changing =
                workload.selectors().stream()
                        .skip(firstChanging)
                        .map(Row.Generated::parsed)
                        .toList();
        Random random = new Random(1);
        for (int i = 0; i < changing.size(); i++) {
            entries.add(null);
            if (random.nextBoolean()) {
                change(i);
            }
        }
    }

    @Override
    public int changing() {
        return changing.size();
    }

    @Override
    public Selector selector(int i) {
        return changing.get(i);
    }

    @Override
    public boolean isThere(int i) {
        return entries.get(i) != null;
    }

    @Override
    public boolean change(int i, Selector selector) {
        int number = firstChanging + i;
        SubscriberHandle<Integer> entry = entries.get(i);
        int before = states.getPlain(number);
        states.setPlain(number, before + 1);
        // Whoever sees something of the change sees that it began.
        VarHandle.releaseFence();
        if (entry == null) {
            entries.set(i, index.add(selector, number));
        } else {
            index.remove(entry);
            entries.set(i, null);
        }
        states.setRelease(number, before + 2);
        return entry == null;
    }

    /// Differs before and after a change that goes on in between.
    int state(int selector) {
        // What was read of the index before is not read later than this.
        VarHandle.acquireFence();
        return states.getAcquire(selector);
    }

    static boolean isPresent(int state) {
        return state % STATES == PRESENT;
    }

    static boolean isAbsent(int state) {
        return state % STATES == ABSENT;
    }
}
