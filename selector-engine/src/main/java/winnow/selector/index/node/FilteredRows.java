package winnow.selector.index.node;

import java.util.Arrays;
import java.util.List;

/// Rows of [RowTests] of a leaf's nodes, one after the other, behind a [RowFilter] of each: what is
/// read for every message is in front.
///
/// | ints | what |
/// |---|---|
/// | 0 | head: ints of a filter |
/// | per row | its filter |
/// | one per row | where its tests begin |
/// | the rest | tests |
final class FilteredRows {
    private static final int HEAD_INTS = 1;

    private FilteredRows() {}

    static int[] of(List<int[]> rows) {
        int count = rows.size();
        int filterInts = RowFilter.INTERVAL_INTS;
        int length = 0;
        for (int[] row : rows) {
            length += row.length;
            filterInts = Math.max(filterInts, RowFilter.length(row, 0, row.length));
        }
        int[] ints = new int[testsAt(count, filterInts) + length];
        ints[0] = filterInts;
        int at = testsAt(count, filterInts);
        for (int i = 0; i < count; i++) {
            int[] row = rows.get(i);
            ints[startsAt(count, filterInts) + i] = at;
            System.arraycopy(row, 0, ints, at, row.length);
            at += row.length;
        }
        writeFilters(ints, count);
        return ints;
    }

    private static void writeFilters(int[] ints, int count) {
        int filterInts = filterInts(ints);
        for (int i = 0; i < count; i++) {
            int at = HEAD_INTS + i * filterInts;
            RowFilter.write(ints, start(ints, count, i), end(ints, count, i), ints, at, filterInts);
        }
    }

    private static int filterInts(int[] ints) {
        return ints[0];
    }

    private static int startsAt(int count, int filterInts) {
        return HEAD_INTS + count * filterInts;
    }

    private static int testsAt(int count, int filterInts) {
        return startsAt(count, filterInts) + count;
    }

    /// Index at which the tests of a row begin.
    static int start(int[] ints, int count, int row) {
        return ints[startsAt(count, filterInts(ints)) + row];
    }

    /// Index at which the tests of a row end.
    static int end(int[] ints, int count, int row) {
        return row + 1 < count ? start(ints, count, row + 1) : ints.length;
    }

    /// True if a row has these tests.
    ///
    /// @param count of rows
    static boolean is(int[] ints, int count, int row, int[] tests) {
        int start = start(ints, count, row);
        int end = end(ints, count, row);
        return Arrays.equals(ints, start, end, tests, 0, tests.length);
    }

    /// With one more at the end.
    ///
    /// @param count of those before
    static int[] with(int[] ints, int count, int[] row) {
        int before = filterInts(ints);
        int filterInts = Math.max(before, RowFilter.length(row, 0, row.length));
        int from = testsAt(count, before);
        int to = testsAt(count + 1, filterInts);
        int[] more = new int[ints.length + to - from + row.length];
        more[0] = filterInts;
        int starts = startsAt(count + 1, filterInts);
        for (int i = 0; i < count; i++) {
            more[starts + i] = start(ints, count, i) + to - from;
        }
        more[starts + count] = ints.length + to - from;
        System.arraycopy(ints, from, more, to, ints.length - from);
        System.arraycopy(row, 0, more, more.length - row.length, row.length);
        if (filterInts > before) {
            writeFilters(more, count + 1);
        } else {
            int filters = count * filterInts;
            System.arraycopy(ints, HEAD_INTS, more, HEAD_INTS, filters);
            RowFilter.write(row, 0, row.length, more, HEAD_INTS + filters, filterInts);
        }
        return more;
    }

    /// Some of the rows, in their order.
    ///
    /// @param kept bit by row: whether it stays
    /// @param count of rows there are
    static int[] only(long kept, int[] ints, int count) {
        int filterInts = filterInts(ints);
        int left = Long.bitCount(kept);
        int to = testsAt(left, filterInts);
        int[] fewer = new int[to + testInts(kept, ints, count)];
        fewer[0] = ints[0];
        int at = 0;
        for (long rows = kept; rows != 0; rows &= rows - 1, at++) {
            int row = Long.numberOfTrailingZeros(rows);
            int filter = HEAD_INTS + row * filterInts;
            System.arraycopy(ints, filter, fewer, HEAD_INTS + at * filterInts, filterInts);
            int start = start(ints, count, row);
            int length = end(ints, count, row) - start;
            fewer[startsAt(left, filterInts) + at] = to;
            System.arraycopy(ints, start, fewer, to, length);
            to += length;
        }
        return fewer;
    }

    private static int testInts(long kept, int[] ints, int count) {
        int length = 0;
        for (long rows = kept; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            length += end(ints, count, row) - start(ints, count, row);
        }
        return length;
    }

    /// Which of up to 64 rows may be fulfilled.
    ///
    /// @param codes by slot, after all strings were looked up
    static long passing(int[] ints, int count, int[] codes) {
        return RowFilter.passing(ints, HEAD_INTS, count, filterInts(ints), codes);
    }
}
