package winnow.selector.index.node;

import java.util.Arrays;
import winnow.selector.slot.ValueCode;

/// Leaves out most rows of [RowTests] that a message does not fulfil, without branches, which
/// nobody could predict: per row one or two intervals that the [ValueCode]s of as many values have
/// to be in. They are made from the first tests of the row, and may be wider than these. All rows
/// of a leaf have as many.
///
/// An interval is three ints: the slot, the low end, and the length, with the sign changed so that
/// comparing signed compares unsigned.
final class RowFilter {
    static final int INTERVAL_INTS = 3;

    /// Ints per row, at most.
    static final int MAX_INTS = 2 * INTERVAL_INTS;

    /// No value has it.
    private static final int NO_CODE = Integer.MAX_VALUE;

    private static final int SIGN = Integer.MIN_VALUE;

    private RowFilter() {}

    /// Number of ints that the filter of a row has to have.
    ///
    /// @param row where the tests begin
    static int length(int[] ints, int row, int end) {
        return Math.max(INTERVAL_INTS, write(ints, row, end, new int[MAX_INTS], 0, MAX_INTS));
    }

    /// @param row where the tests begin
    /// @param into where the filter is written to
    /// @param length ints of the filter
    /// @return how many of them tell something
    static int write(int[] ints, int row, int end, int[] into, int at, int length) {
        for (int unused = 0; unused < length; unused += INTERVAL_INTS) {
            interval(into, at + unused, 0, ValueCode.MISSING, Integer.MAX_VALUE);
        }
        int written = 0;
        if ((ints[row] & RowTests.KIND) == RowTests.ALTERNATIVE) {
            return written;
        }
        for (int test = row; test < end && written < length; test += RowTests.length(ints, test)) {
            if (write(ints, test, into, at + written)) {
                written += INTERVAL_INTS;
            }
            if ((ints[test] & RowTests.LAST) != 0) {
                break;
            }
        }
        return written;
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
        boolean empty = low > high;
        into[at] = slot;
        into[at + 1] = empty ? NO_CODE : low;
        into[at + 2] = (empty ? 0 : high - low) ^ SIGN;
    }

    /// Which of up to 64 rows may be fulfilled.
    ///
    /// @param first where the filter of the first row is
    /// @param length ints of a filter
    /// @param codes by slot, after all strings were looked up
    static long passing(int[] ints, int first, int rows, int length, int[] codes) {
        return length > INTERVAL_INTS
                ? passingTwo(ints, first, rows, codes)
                : passingOne(ints, first, rows, codes);
    }

    private static long passingOne(int[] ints, int first, int rows, int[] codes) {
        long passing = 0;
        for (int i = 0, at = first; i < rows; i++, at += INTERVAL_INTS) {
            passing |= (holds(ints, at, codes) ? 1L : 0L) << i;
        }
        return passing;
    }

    @SuppressWarnings("ShortCircuitBoolean")
    private static long passingTwo(int[] ints, int first, int rows, int[] codes) {
        long passing = 0;
        for (int i = 0, at = first; i < rows; i++, at += MAX_INTS) {
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
