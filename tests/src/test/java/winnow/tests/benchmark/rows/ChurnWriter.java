package winnow.tests.benchmark.rows;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;

/// Adds and removes selectors at random, and does what the broker does ten times a second. Used by
/// the thread that owns the index.
final class ChurnWriter {
    private static final long TUNING_NANOS = 100_000_000L;
    private static final int SELECTORS_PER_TUNING = 64;
    private static final int DIGITS = 3;

    private final SelectorIndex<Integer> index;
    private final ChurnPopulation population;
    private final SplittableRandom random = new SplittableRandom(2);
    private final ChangeRate rate;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long nextTuning = System.nanoTime();

    /// The change that took most processor time.
    ///
    /// @param nanos of processor time
    /// @param selector that was added or removed
    /// @param size of the index then
    record Worst(long nanos, Selector selector, int size) {}

    /// Processor time of single changes.
    ///
    /// @param nanos of all of them
    /// @param add that took most
    /// @param remove that took most
    record Times(Histogram nanos, Worst add, Worst remove) {}

    ChurnWriter(SelectorIndex<Integer> index, ChurnPopulation population) {
        this.index = index;
        this.population = population;
        this.rate = new ChangeRate(population, random);
    }

    /// @param nanos that the changes take together
    ChangeRate.Speed speed(ChangeRate.Source source, long nanos) {
        return rate.measure(source, nanos, () -> tune(System.nanoTime()));
    }

    /// Processor time, because the thread may have to wait for a processor.
    Times times(long nanos) {
        Histogram times = new Histogram(DIGITS);
        Selector any = population.selector(0);
        Worst add = new Worst(0, any, 0);
        Worst remove = new Worst(0, any, 0);
        long start = System.nanoTime();
        long now = start;
        while (now - start < nanos) {
            int i = random.nextInt(population.changing());
            long before = threads.getCurrentThreadCpuTime();
            boolean added = population.change(i);
            long taken = threads.getCurrentThreadCpuTime() - before;
            times.recordValue(taken);
            if (taken > (added ? add : remove).nanos) {
                Worst worst = new Worst(taken, population.selector(i), index.size());
                add = added ? worst : add;
                remove = added ? remove : worst;
            }
            now = System.nanoTime();
            tune(now);
        }
        return new Times(times, add, remove);
    }

    private void tune(long now) {
        if (now - nextTuning >= 0) {
            nextTuning = now + TUNING_NANOS;
            index.tune(SELECTORS_PER_TUNING);
        }
    }
}
