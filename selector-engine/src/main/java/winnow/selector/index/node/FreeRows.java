package winnow.selector.index.node;

import java.util.Arrays;

/// The rows of a [Block] without a node, each with the classes whose bitmaps still have it. So a
/// row that is used again changes the few bitmaps in which its nodes differ, without a look at the
/// others: the bits of a row are on as many cache lines as there are classes. Writer only.
final class FreeRows {
    private static final int[] NONE = {};

    /// Number of columns.
    private final int columns;

    /// Rows from here on had no node yet.
    private int unused;

    /// Of each row that nodes have left, the masks by column and then its number; the latest last.
    private int[] left = NONE;

    private int length;

    /// Index of the masks of the row that was taken last, negative if it had no node yet.
    private int taken = -1;

    FreeRows(int columns) {
        this.columns = columns;
    }

    /// Takes a row, of which there must be one.
    ///
    /// @return its number
    int take() {
        if (length == 0) {
            left = NONE;
            taken = -1;
            return unused++;
        }
        int row = left[--length];
        length -= columns;
        taken = length;
        return row;
    }

    /// The classes of a column whose bitmaps still have the row that was taken last. Only before
    /// the next row is left.
    int takenMask(int column) {
        return taken < 0 ? 0 : left[taken + column];
    }

    /// A node has left a row.
    void add(int row, int[] masks) {
        int end = length + columns + 1;
        if (end > left.length) {
            left = Arrays.copyOf(left, 2 * end);
        }
        System.arraycopy(masks, 0, left, length, columns);
        left[end - 1] = row;
        length = end;
    }
}
