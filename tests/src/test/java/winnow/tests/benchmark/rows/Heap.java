package winnow.tests.benchmark.rows;

import java.lang.management.ManagementFactory;

/// What the heap holds. Stateless.
final class Heap {
    private static final int COLLECTIONS = 2;

    private Heap() {}

    /// After full collections.
    static long usedBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
