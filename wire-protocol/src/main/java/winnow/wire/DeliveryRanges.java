package winnow.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Delivery ids of one session, as ranges. Immutable.
///
/// On the wire: how many ranges (varint), then for each range its first id minus the last id of the
/// range before, 0 for the first range (varint long), and how many ids it has beyond the first
/// (varint long).
public final class DeliveryRanges {
    /// No id at all.
    public static final DeliveryRanges NONE = new DeliveryRanges(new long[0]);

    /// Most ranges that a frame may have, 1 MiB of memory. Ranges join where sessions acknowledge
    /// what they were sent one after the other, so that a few are the rule.
    public static final int MAX_RANGES = 65_536;

    /// A range takes 2 bytes at least.
    private static final int MIN_RANGE_BYTES = 2;

    /// First and last id of each range, ascending.
    private final long[] bounds;

    private DeliveryRanges(long[] bounds) {
        this.bounds = bounds;
    }

    /// The ranges of single ids.
    ///
    /// @param ids from 1, in any order
    public static DeliveryRanges of(long... ids) {
        if (ids.length == 0) {
            return NONE;
        }
        long[] sorted = ids.clone();
        Arrays.sort(sorted);
        long[] bounds = new long[2 * sorted.length];
        int size = 0;
        for (long id : sorted) {
            if (size > 0 && id <= bounds[size - 1] + 1) {
                bounds[size - 1] = id;
            } else {
                bounds[size] = id;
                bounds[size + 1] = id;
                size += 2;
            }
        }
        return new DeliveryRanges(Arrays.copyOf(bounds, size));
    }

    /// The same ids in parts that have no more ranges than a frame can have; one part at least.
    public List<DeliveryRanges> parts() {
        if (count() <= MAX_RANGES) {
            return List.of(this);
        }
        List<DeliveryRanges> parts = new ArrayList<>();
        for (int from = 0; from < bounds.length; from += 2 * MAX_RANGES) {
            int to = Math.min(bounds.length, from + 2 * MAX_RANGES);
            parts.add(new DeliveryRanges(Arrays.copyOfRange(bounds, from, to)));
        }
        return parts;
    }

    /// True if there is no id.
    public boolean isEmpty() {
        return bounds.length == 0;
    }

    /// Bytes of memory that they take.
    public int bytes() {
        return bounds.length * Long.BYTES;
    }

    /// Number of ranges.
    public int count() {
        return bounds.length / 2;
    }

    /// The first id of a range.
    ///
    /// @param range 0 to before [#count]
    public long first(int range) {
        return bounds[2 * range];
    }

    /// The last id of a range.
    ///
    /// @param range 0 to before [#count]
    public long last(int range) {
        return bounds[2 * range + 1];
    }

    /// True if an id is in one of the ranges.
    public boolean contains(long id) {
        int found = Arrays.binarySearch(bounds, id);
        return found >= 0 || (-found - 1) % 2 == 1;
    }

    public void write(WireWriter out) {
        out.writeVarint(count());
        long before = 0;
        for (int range = 0; range < count(); range++) {
            out.writeVarlong(first(range) - before);
            out.writeVarlong(last(range) - first(range));
            before = last(range);
        }
    }

    /// @throws WireException if they are not ascending ranges of ids from 1
    public static DeliveryRanges read(WireReader in) {
        return read(in, MAX_RANGES);
    }

    /// @param limit most ranges
    /// @throws WireException if they are not ascending ranges of ids from 1, or too many
    public static DeliveryRanges read(WireReader in, int limit) {
        int count = in.readVarint();
        int most = Math.min(limit, in.remaining() / MIN_RANGE_BYTES);
        if (count > most) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected at most " + most + " ranges of delivery ids, found " + count);
        }
        long[] bounds = new long[2 * count];
        long before = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            long gap = in.readVarlong();
            long first = before + gap;
            long last = first + in.readVarlong();
            if (gap < 1 || first < 1 || last < first || last == Long.MAX_VALUE) {
                throw new WireException(
                        ErrorCode.MALFORMED_FRAME,
                        "expected ascending ranges of delivery ids from 1, found one from "
                                + first
                                + " to "
                                + last);
            }
            bounds[i] = first;
            bounds[i + 1] = last;
            before = last;
        }
        return count == 0 ? NONE : new DeliveryRanges(bounds);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeliveryRanges ranges && Arrays.equals(bounds, ranges.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        return "DeliveryRanges" + Arrays.toString(bounds);
    }
}
