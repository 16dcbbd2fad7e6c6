package winnow.selector.index.node;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;

/// Tests nodes that ask, besides their key, for one interval of one slot's values, such as a range
/// of prices: by the [ValueCode] of the value alone, without the rows of [RowTests]. The interval
/// of codes is exact for strings and missing values. A number whose code is an end of the interval
/// may be inside or outside.
///
/// | ints | what |
/// |---|---|
/// | 0 | head: the slot and flags |
/// | two per row | the low end and the length of the interval |
///
/// The length has its sign changed, so that comparing signed compares unsigned.
final class IntervalRows {
    /// Of a head, unlike that of [FilteredRows].
    private static final int INTERVALS = 1;

    /// Of a head: the ranges hold their ends, which are floats that a code has all bits of.
    private static final int CLOSED = 2;

    private static final int SLOT_SHIFT = 2;
    private static final int HEAD_INTS = 1;
    private static final int ROW_INTS = 2;
    private static final int SIGN = Integer.MIN_VALUE;

    private IntervalRows() {}

    /// Whether the tests of a leaf are such.
    static boolean are(int[] ints) {
        return (ints[0] & INTERVALS) != 0;
    }

    /// @param rows as [RowWriter] wrote them
    /// @return null if they ask for something else
    static int @Nullable [] of(List<int[]> rows) {
        int[] ints = {head(rows.getFirst())};
        for (int[] row : rows) {
            int[] more = with(ints, row);
            if (more == null) {
                return null;
            }
            ints = more;
        }
        return ints;
    }

    /// With one more at the end.
    ///
    /// @return null if it asks for something else
    static int @Nullable [] with(int[] ints, int[] row) {
        int head = head(row);
        if (!isLike(head, ints)) {
            return null;
        }
        int[] interval = interval(row);
        int[] more = Arrays.copyOf(ints, ints.length + ROW_INTS);
        more[0] &= head;
        more[ints.length] = interval[1];
        more[ints.length + 1] = interval[2];
        return more;
    }

    /// Whether a row with this head asks for one interval of the same slot.
    private static boolean isLike(int head, int[] ints) {
        return (head & INTERVALS) != 0 && slot(head) == slot(ints[0]);
    }

    /// @return as in [RowFilter]
    private static int[] interval(int[] row) {
        int[] interval = new int[RowFilter.INTERVAL_INTS];
        RowFilter.write(row, 0, row.length, interval, 0, RowFilter.INTERVAL_INTS);
        return interval;
    }

    /// What a row would have to have, for [#is].
    ///
    /// @param row as [RowWriter] wrote it
    /// @return null if none of the leaf may be the same: it asks for something else, or its ends
    ///   may have to be asked about while those of the leaf never have
    static int @Nullable [] wanted(int[] row, int[] ints) {
        int head = head(row);
        return isLike(head, ints) && (ints[0] & head) == ints[0] ? interval(row) : null;
    }

    /// Whether a row asks for what is [#wanted].
    static boolean is(int[] ints, int row, int[] wanted) {
        int at = at(row);
        return wanted[1] == ints[at] && wanted[2] == ints[at + 1];
    }

    /// Some of the rows, in their order.
    ///
    /// @param kept bit by row: whether it stays
    static int[] only(long kept, int[] ints) {
        int[] fewer = new int[at(Long.bitCount(kept))];
        fewer[0] = ints[0];
        int to = HEAD_INTS;
        for (long rows = kept; rows != 0; rows &= rows - 1) {
            int from = at(Long.numberOfTrailingZeros(rows));
            fewer[to] = ints[from];
            fewer[to + 1] = ints[from + 1];
            to += ROW_INTS;
        }
        return fewer;
    }

    /// What the head would be with this row alone, without [#INTERVALS] if it cannot be one.
    private static int head(int[] row) {
        int head = row[0];
        int kind = head & RowTests.KIND;
        boolean is =
                (head & RowTests.LAST) != 0
                        && (kind == RowTests.EQUAL
                                || kind == RowTests.MISSING
                                || kind == RowTests.RANGE);
        boolean closed =
                kind != RowTests.RANGE
                        || ((head & RowTests.CLOSED) != 0
                                && hasAllBits(ValueCode.numberOf(row[1]))
                                && hasAllBits(ValueCode.numberOf(row[2])));
        return head >>> RowTests.SLOT_SHIFT << SLOT_SHIFT
                | (is ? INTERVALS : 0)
                | (closed ? CLOSED : 0);
    }

    /// Whether no other number without the bit that a code lacks has its code.
    private static boolean hasAllBits(float number) {
        return (Float.floatToRawIntBits(number) & 1) == 0;
    }

    private static int at(int row) {
        return HEAD_INTS + row * ROW_INTS;
    }

    private static int slot(int head) {
        return head >>> SLOT_SHIFT;
    }

    /// The code that decides.
    static int code(int[] ints, SlotValues values) {
        int slot = slot(ints[0]);
        return values.holds(slot) ? values.code(slot) : ValueCode.MISSING;
    }

    /// Which of up to 64 rows may be fulfilled, without branches, which nobody could predict.
    static long passing(int[] ints, int rows, int code) {
        long passing = 0;
        for (int i = 0, at = HEAD_INTS; i < rows; i++, at += ROW_INTS) {
            boolean holds = ((code - ints[at]) ^ SIGN) <= ints[at + 1];
            passing |= (holds ? 1L : 0L) << i;
        }
        return passing;
    }

    /// Whether a row that may be fulfilled is, for certain.
    static boolean isCertain(int[] ints, int row, int code, SlotValues values) {
        int at = at(row);
        int above = code - ints[at];
        int length = ints[at + 1] ^ SIGN;
        return code < 0
                || (above > 0 && above < length)
                || ((ints[0] & CLOSED) != 0 && isItsCode(slot(ints[0]), values));
    }

    /// Whether the number of a slot is what its code says.
    private static boolean isItsCode(int slot, SlotValues values) {
        float number = RowTests.number(values, slot);
        return hasAllBits(number) && RowTests.isUnrounded(number, slot, values);
    }
}
