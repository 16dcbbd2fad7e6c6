package winnow.tests.benchmark.rows;

import java.lang.management.ManagementFactory;

/// What the heap holds. Stateless.
final class Heap {
    private static final int STRING_BYTES = 24;
    private static final int ARRAY_HEADER_BYTES = 12;
    private static final int ALIGNMENT = 8;

    private Heap() {}

    /// After a full collection.
    static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /// What a string of Latin letters takes, with compact headers of objects.
    static long bytesOf(String latin) {
        return STRING_BYTES + align(ARRAY_HEADER_BYTES + latin.length());
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
