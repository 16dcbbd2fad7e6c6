package winnow.selector.index.node;

import java.util.Arrays;
import winnow.selector.slot.ValueCode;

/// Leaves out most rows of [RowTests] that a message does not fulfil, without branches, which
/// nobody could predict: per row two intervals that the [ValueCode]s of two values have to be in.
/// They are made from the first tests of the row, and may be wider than these.
///
/// An interval is three ints: the slot, the low end, and the length, with the sign changed so that
/// comparing signed compares unsigned.
final class RowFilter {
    /// Per row.
    static final int INTS = 6;

    private static final int INTERVAL_INTS = 3;
    private static final int SIGN = Integer.MIN_VALUE;

    private RowFilter() {}

    /// @param row where the tests begin
    /// @param into where the filter is written to
    static void write(int[] ints, int row, int end, int[] into, int at) {
        interval(into, at, 0, ValueCode.MISSING, Integer.MAX_VALUE);
        interval(into, at + INTERVAL_INTS, 0, ValueCode.MISSING, Integer.MAX_VALUE);
        if ((ints[row] & RowTests.KIND) == RowTests.ALTERNATIVE) {
            return;
        }
        int written = 0;
        for (int test = row; test < end && written < INTS; test += RowTests.length(ints, test)) {
            if (write(ints, test, into, at + written)) {
                written += INTERVAL_INTS;
            }
            if ((ints[test] & RowTests.LAST) != 0) {
                return;
            }
        }
    }

    private static boolean write(int[] ints, int test, int[] into, int at) {
        int slot = ints[test] >>> RowTests.SLOT_SHIFT;
        switch (ints[test] & RowTests.KIND) {
            case RowTests.EQUAL -> {
                int code = ValueCode.ofConstant(ints[test + 1]);
                interval(into, at, slot, code, code);
            }
            case RowTests.ONE_OF -> {
                int from = test + 2;
                int[] constants = Arrays.copyOfRange(ints, from, from + ints[test + 1]);
                Arrays.sort(constants);
                interval(
                        into,
                        at,
                        slot,
                        ValueCode.ofConstant(constants[0]),
                        ValueCode.ofConstant(constants[constants.length - 1]));
            }
            case RowTests.RANGE ->
                    interval(
                            into,
                            at,
                            slot,
                            ValueCode.ofOrder(ints[test + 1]),
                            ValueCode.ofOrder(ints[test + 2]));
            case RowTests.MISSING -> interval(into, at, slot, ValueCode.MISSING, ValueCode.MISSING);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void interval(int[] into, int at, int slot, int low, int high) {
        into[at] = slot;
        into[at + 1] = low;
        into[at + 2] = (high - low) ^ SIGN;
    }

    /// Which of up to 64 rows may be fulfilled.
    ///
    /// @param first where the filter of the first row is
    /// @param codes by slot
    @SuppressWarnings("ShortCircuitBoolean")
    static long passing(int[] ints, int first, int rows, int[] codes) {
        long passing = 0;
        for (int i = 0, at = first; i < rows; i++, at += INTS) {
            boolean one = holds(ints, at, codes);
            boolean other = holds(ints, at + INTERVAL_INTS, codes);
            passing |= (one & other ? 1L : 0L) << i;
        }
        return passing;
    }

    private static boolean holds(int[] ints, int at, int[] codes) {
        int slot = ints[at];
        int code = slot < codes.length ? codes[slot] : ValueCode.MISSING;
        return ((code - ints[at + 1]) ^ SIGN) <= ints[at + 2];
    }
}
