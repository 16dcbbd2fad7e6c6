package winnow.broker.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/// A histogram that one event loop writes and all threads read: recording takes two plain writes. A
/// reader may see a value that is counted but not yet in the sum.
public final class LoopHistogram {
    /// Leading bits of a long, and 0.
    private static final int KINDS = Long.SIZE + 1;

    private final long[] bounds;

    /// By the bits that a value less one takes: the first bucket that such a value can fall into.
    private final byte[] firstBuckets = new byte[KINDS];

    /// Values in each bucket, then those above all bounds, then the sum.
    private final AtomicLongArray cells;

    /// @param bounds largest values of the buckets, ascending, at most 100
    LoopHistogram(long... bounds) {
        this.bounds = bounds.clone();
        this.cells = new AtomicLongArray(bounds.length + 2);
        for (int bits = 0; bits < Long.SIZE; bits++) {
            long smallest = bits == 0 ? 1 : (1L << (bits - 1)) + 1;
            firstBuckets[bits] = (byte) bucketFrom(0, smallest);
        }
        firstBuckets[Long.SIZE] = 0;
    }

    private int bucketFrom(int first, long value) {
        int bucket = first;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /// Counts a value of 0 or more. The loop only.
    void record(long value) {
        record(value, 1);
    }

    /// Counts a value of 0 or more several times. The loop only.
    void record(long value, long times) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value - 1);
        int bucket = bucketFrom(firstBuckets[bits], value);
        add(bucket, times);
        add(bounds.length + 1, value * times);
    }

    private void add(int cell, long amount) {
        cells.setOpaque(cell, cells.getPlain(cell) + amount);
    }

    /// The largest values of the buckets.
    long[] bounds() {
        return bounds.clone();
    }

    /// Adds what is in the buckets to `counts`, whose last place is for values above all bounds.
    void addCountsTo(long[] counts) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += cells.getOpaque(i);
        }
    }

    /// Values that were counted.
    long count() {
        long count = 0;
        for (int i = 0; i <= bounds.length; i++) {
            count += cells.getOpaque(i);
        }
        return count;
    }

    /// Sum of all values.
    long sum() {
        return cells.getOpaque(bounds.length + 1);
    }
}
