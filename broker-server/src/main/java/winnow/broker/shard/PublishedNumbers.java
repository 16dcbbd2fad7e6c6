package winnow.broker.shard;

import java.util.Arrays;
import winnow.store.LogException;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Numbers of the publishes of one instance that were taken: a few ranges. When there are too many,
/// the lowest is forgotten, and with it whether numbers up to its end were taken. Owned by one
/// thread.
public final class PublishedNumbers {
    /// More ranges are not kept. Numbers that are refused, or that come out of order, make gaps.
    static final int MAX_RANGES = 128;

    private static final int MIN_BOUNDS = 4;

    /// Up to this number nothing is known.
    private long floor;

    /// First and last numbers, ascending; no two ranges touch.
    private long[] bounds = new long[MIN_BOUNDS];

    /// Bounds in use: two for each range.
    private int size;

    /// Answer about one number.
    public enum Answer {
        TAKEN,
        NOT_TAKEN,
        FORGOTTEN
    }

    /// Nothing was taken.
    public static PublishedNumbers none() {
        return new PublishedNumbers();
    }

    /// Nothing is known.
    public static PublishedNumbers forgotten() {
        PublishedNumbers made = new PublishedNumbers();
        made.floor = Long.MAX_VALUE;
        return made;
    }

    /// Nothing is known of numbers below `first`.
    static PublishedNumbers from(long first) {
        PublishedNumbers made = new PublishedNumbers();
        made.floor = first - 1;
        return made;
    }

    PublishedNumbers copy() {
        PublishedNumbers made = new PublishedNumbers();
        made.floor = floor;
        made.size = size;
        made.bounds = Arrays.copyOf(bounds, bounds.length);
        return made;
    }

    /// Tells if a publish with that number was taken.
    public Answer answer(long number) {
        if (number <= floor) {
            return Answer.FORGOTTEN;
        }
        int at = rangeFrom(number);
        return at < size && bounds[at] <= number ? Answer.TAKEN : Answer.NOT_TAKEN;
    }

    /// Index of the first range that does not end below a number.
    private int rangeFrom(long number) {
        int low = 0;
        int high = size / 2;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds[2 * middle + 1] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return 2 * low;
    }

    /// Publishes were taken.
    ///
    /// @param first their lowest number, at least 1; `last` their highest
    void add(long first, long last) {
        if (size > 0 && bounds[size - 1] == first - 1) {
            bounds[size - 1] = last;
            return;
        }
        // The ranges from `begin` to `end` touch the new one.
        int begin = rangeFrom(first - 1);
        int end = begin;
        long from = first;
        long to = last;
        while (end < size && bounds[end] <= last + 1) {
            from = Math.min(from, bounds[end]);
            to = Math.max(to, bounds[end + 1]);
            end += 2;
        }
        replace(begin, end, from, to);
        if (size > 2 * MAX_RANGES) {
            floor = Math.max(floor, bounds[1]);
            size -= 2;
            System.arraycopy(bounds, 2, bounds, 0, size);
        }
    }

    private void replace(int begin, int end, long from, long to) {
        int newSize = size - (end - begin) + 2;
        if (newSize > bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        System.arraycopy(bounds, end, bounds, begin + 2, size - end);
        bounds[begin] = from;
        bounds[begin + 1] = to;
        size = newSize;
    }

    /// Bytes that it takes of the heap.
    long heapBytes() {
        return HeapCost.array((long) bounds.length * Long.BYTES);
    }

    void write(WireWriter row) {
        row.writeVarlong(floor);
        row.writeVarint(size / 2);
        long before = 0;
        for (int i = 0; i < size; i++) {
            row.writeVarlong(bounds[i] - before);
            before = bounds[i];
        }
    }

    /// @throws LogException if it is none
    static PublishedNumbers read(WireReader row) {
        PublishedNumbers read = new PublishedNumbers();
        try {
            read.floor = row.readVarlong();
            int ranges = row.readVarint();
            if (ranges > MAX_RANGES) {
                throw corrupt("at most " + MAX_RANGES + " ranges", ranges);
            }
            long end = -1;
            for (int i = 0; i < ranges; i++) {
                long first = Math.max(end, 0) + row.readVarlong();
                long last = first + row.readVarlong();
                if (first <= end + 1 || last < first) {
                    throw corrupt("ascending ranges", first);
                }
                read.add(first, last);
                end = last;
            }
            row.requireEnd();
        } catch (WireException e) {
            throw new LogException(
                    LogException.Reason.CORRUPT, "numbers of an instance: " + e.getMessage(), e);
        }
        return read;
    }

    private static LogException corrupt(String expected, long found) {
        return new LogException(
                LogException.Reason.CORRUPT,
                "numbers of an instance: expected " + expected + ", found " + found);
    }

    @Override
    public String toString() {
        return floor + ": " + Arrays.toString(Arrays.copyOf(bounds, size));
    }
}
