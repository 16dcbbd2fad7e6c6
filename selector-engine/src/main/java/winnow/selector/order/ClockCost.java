package winnow.selector.order;

/// Time that reading the clock takes; it is subtracted from what is measured.
public final class ClockCost {

    private static final int READINGS = 1_000;

    /// Of two readings one after the other, in nanoseconds, the shortest seen: about 25.
    public static final long NANOS = shortest();

    /// Nanoseconds by which a test may seem to take longer than usual.
    static final float LONG_NANOS = 256;

    private ClockCost() {}

    private static long shortest() {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < READINGS; i++) {
            long start = System.nanoTime();
            shortest = Math.min(shortest, System.nanoTime() - start);
        }
        return shortest;
    }
}
