package winnow.broker.destination;

/// What a pair of clock readings takes, to be taken off what they measured.
final class ClockCost {
    private static final int READINGS = 1_000;

    /// The shortest seen, in nanoseconds.
    static final long NANOS = shortest();

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
