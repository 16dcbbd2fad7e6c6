package winnow.tests.benchmark.rows;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.Selector;

/// Changes selectors at random, as fast as possible, and tells how many changes there are per
/// second. The time to parse their selectors does not count.
final class ChangeRate {

    /// Changes between two looks at the clock. So many parsed selectors fit into a processor's
    /// cache.
    private static final int BATCH = 64;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ChangingSelectors selectors;
    private final SplittableRandom random;
    private final int[] next = new int[BATCH];
    private final @Nullable Selector[] parsed = new Selector[BATCH];

    /// Which parsed selectors are added.
    enum Source {

        /// Those of the benchmark, which are anywhere in memory.
        KEPT,

        /// Parsed just before, as a broker does.
        PARSED
    }

    /// @param perSecond changes
    /// @param perProcessorSecond changes per second of the thread's processor time
    record Speed(double perSecond, double perProcessorSecond) {}

    ChangeRate(ChangingSelectors selectors, SplittableRandom random) {
        this.selectors = selectors;
        this.random = random;
    }

    /// @param nanos that the changes take together
    /// @param between runs after each few changes, and counts
    Speed measure(Source source, long nanos, Runnable between) {
        long elapsed = 0;
        long processor = 0;
        long changes = 0;
        while (elapsed < nanos) {
            choose(source);
            long start = System.nanoTime();
            long processorStart = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < BATCH; i++) {
                Selector selector = parsed[i];
                // Null means removal, unless the selector occurs twice in the batch.
                selectors.change(
                        next[i], selector == null ? selectors.selector(next[i]) : selector);
            }
            between.run();
            processor += THREADS.getCurrentThreadCpuTime() - processorStart;
            elapsed += System.nanoTime() - start;
            changes += BATCH;
        }
        return new Speed(changes * 1e9 / elapsed, changes * 1e9 / processor);
    }

    private void choose(Source source) {
        for (int i = 0; i < BATCH; i++) {
            next[i] = random.nextInt(selectors.changing());
            parsed[i] =
                    source == Source.KEPT || selectors.isThere(next[i])
                            ? null
                            : Selector.parse(selectors.selector(next[i]).toString()).canonical();
        }
    }
}
