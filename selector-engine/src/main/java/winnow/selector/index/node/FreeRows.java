package winnow.selector.index.node;

import java.util.Arrays;

/// The rows of a [Block] without a node, each with the classes whose bitmaps still have it. So a
/// row that is used again changes the few bitmaps in which its nodes differ, without a look at the
/// others: the bits of a row are on as many cache lines as there are classes. Writer only.
final class FreeRows {
    private static final int[] NONE = {};

    /// How many columns there are.
    private final int columns;

    /// Rows from here on had no node yet.
    private int unused;

    /// Of each row that nodes have left, the masks by column and then its number; the latest last.
    private int[] left = NONE;

    private int length;

    FreeRows(int columns) {
        this.columns = columns;
    }

    /// Takes a row, of which there must be one.
    ///
    /// @param masks is filled with the classes by column
    /// @return its number
    int take(int[] masks) {
        if (length == 0) {
            Arrays.fill(masks, 0);
            return unused++;
        }
        int row = left[--length];
        length -= columns;
        System.arraycopy(left, length, masks, 0, columns);
        if (length == 0) {
            left = NONE;
        }
        return row;
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
