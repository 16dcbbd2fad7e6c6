package winnow.selector.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.SlotValues;

/// The nodes of a small cluster, with what each asks besides the key side by side in one array, so
/// that a message looks only at nodes which match. An Object[], so that there is no object around
/// it: the tests as [FilteredRows], and then the node of each row.
///
/// The tests never change. A node that goes leaves its row vacant, and a node with the same tests
/// may take it. All else makes another array. One writer, many readers; a match that pauses goes on
/// with the array that it has.
///
/// Readers take the node of a row before they ask for terms by number ([RowTests#TERM]): a term may
/// get the number of another one that is gone when its node moves here, however old the node is.
/// Filters and intervals may be compared before, because a node has its slots and constants from
/// the start: one that is newer than the message says so itself. A node that has moved is found by
/// its move.
public final class Leaf {
    /// As many as a bitmap in one long has bits, at most. Copying 48 takes about 150 ns.
    static final int MAX_ROWS = 48;

    private static final int FIRST_NODE = 1;

    private static final VarHandle NODES = MethodHandles.arrayElementVarHandle(Object[].class);

    private Leaf() {}

    /// True if the content of a cluster is a leaf.
    public static boolean is(@Nullable Object content) {
        return content != null && content.getClass() == Object[].class;
    }

    /// @param key that leads to the nodes
    /// @param members from two to [#MAX_ROWS]
    static Object[] of(SharedTerm key, List<? extends Node<?>> members) {
        RowWriter writer = new RowWriter(key);
        List<int[]> rows = new ArrayList<>(members.size());
        Object[] leaf = new Object[FIRST_NODE + members.size()];
        for (int i = 0; i < members.size(); i++) {
            rows.add(writer.row(RowWriter.part(members.get(i), key), RowWriter.MAX_INTS));
            leaf[FIRST_NODE + i] = members.get(i);
        }
        leaf[0] = FilteredRows.of(rows);
        return leaf;
    }

    /// Number of rows, with those that are vacant.
    public static int rows(Object[] leaf) {
        return leaf.length - FIRST_NODE;
    }

    /// Number of nodes. Writer only.
    static int size(Object[] leaf) {
        int size = 0;
        for (int row = 0; row < rows(leaf); row++) {
            size += isVacant(leaf, row) ? 0 : 1;
        }
        return size;
    }

    static boolean isFull(Object[] leaf) {
        return rows(leaf) == MAX_ROWS && size(leaf) == MAX_ROWS;
    }

    static List<Node<?>> members(Object[] leaf) {
        List<Node<?>> members = new ArrayList<>(rows(leaf));
        for (int row = 0; row < rows(leaf); row++) {
            if (!isVacant(leaf, row)) {
                members.add((Node<?>) leaf[FIRST_NODE + row]);
            }
        }
        return members;
    }

    /// The node of a row, null if it is vacant. Without its type, because a cast would look at the
    /// node, which is a cache miss. Any thread.
    private static @Nullable Object node(Object[] leaf, int row) {
        return NODES.getAcquire(leaf, FIRST_NODE + row);
    }

    /// Writer only.
    private static boolean isVacant(Object[] leaf, int row) {
        return leaf[FIRST_NODE + row] == null;
    }

    private static int[] ints(Object[] leaf) {
        return (int[]) leaf[0];
    }

    /// One that has a node more, which may be the same array.
    ///
    /// @param formula of the node
    /// @param key that leads to the nodes
    static Object[] with(Object[] leaf, Node<?> node, Formula formula, SharedTerm key) {
        int[] row = new RowWriter(key).row(RowWriter.part(node, formula, key), RowWriter.MAX_INTS);
        boolean hasVacant = size(leaf) < rows(leaf);
        int vacant = hasVacant ? vacantRow(leaf, row) : -1;
        if (vacant >= 0) {
            NODES.setRelease(leaf, FIRST_NODE + vacant, node);
            return leaf;
        }
        Object[] before = hasVacant ? withoutVacant(leaf) : leaf;
        Object[] more = Arrays.copyOf(before, before.length + 1);
        more[0] = FilteredRows.with(ints(before), rows(before), row);
        more[before.length] = node;
        return more;
    }

    /// A vacant row with the same tests, -1 if there is none.
    private static int vacantRow(Object[] leaf, int[] row) {
        int[] ints = ints(leaf);
        for (int i = 0; i < rows(leaf); i++) {
            if (isVacant(leaf, i) && FilteredRows.is(ints, rows(leaf), i, row)) {
                return i;
            }
        }
        return -1;
    }

    /// The leaf without a node, which must be there and not alone.
    ///
    /// @return the only node that is left, or a leaf, which may be the same
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    static Object without(Object[] leaf, Node<?> node) {
        int at = 0;
        int left = 0;
        Object last = null;
        for (int i = FIRST_NODE; i < leaf.length; i++) {
            if (leaf[i] == node) {
                at = i;
            } else if (leaf[i] != null) {
                left++;
                last = leaf[i];
            }
        }
        if (at == 0) {
            throw new IllegalStateException("not in the leaf");
        }
        NODES.setRelease(leaf, at, null);
        if (left == 1 && last != null) {
            return last;
        }
        return left <= rows(leaf) / 2 ? withoutVacant(leaf) : leaf;
    }

    private static Object[] withoutVacant(Object[] leaf) {
        int rows = rows(leaf);
        Object[] rest = new Object[FIRST_NODE + size(leaf)];
        long taken = 0;
        int at = FIRST_NODE;
        for (int row = 0; row < rows; row++) {
            if (!isVacant(leaf, row)) {
                taken |= 1L << row;
                rest[at++] = leaf[FIRST_NODE + row];
            }
        }
        rest[0] = FilteredRows.only(taken, ints(leaf), rows);
        return rest;
    }

    /// Reads what [#match] begins with and returns something that depends on it. Any thread.
    ///
    /// @param content of a cluster
    public static int readAhead(@Nullable Object content) {
        return is(content) && content instanceof Object[] leaf ? ints(leaf)[0] : 0;
    }

    /// Looks at the nodes that match. Any thread.
    ///
    /// @param from the row to begin with
    /// @return the row to go on with because the match is over, 0 if all were looked at
    public static int match(Object[] leaf, SlotValues values, NodeVisitor matching, int from) {
        int[] ints = ints(leaf);
        int count = rows(leaf);
        values.lookUpStrings();
        long passing = FilteredRows.passing(ints, count, values.codes());
        int slow = matching.slowTests();
        for (long rows = passing & -1L << from; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            Object node = node(leaf, row);
            if (node == null) {
                continue;
            }
            int start = FilteredRows.start(ints, count, row);
            int end = FilteredRows.end(ints, count, row);
            int result = RowTests.test(ints, start, end, values, matching);
            if (result == RowTests.TRUE) {
                matching.found((Node<?>) node);
            } else if (result == RowTests.UNSURE) {
                matching.node((Node<?>) node);
            }
            if (matching.slowTests() != slow) {
                if (matching.isOver()) {
                    return (row + 1) % count;
                }
                slow = matching.slowTests();
            }
        }
        return 0;
    }

    /// Looks at all nodes, also at those that do not match. Any thread.
    ///
    /// @param from the row to begin with
    /// @return the row to go on with because the match is over, 0 if all were looked at
    public static int lookAtAll(Object[] leaf, NodeVisitor matching, int from) {
        boolean hasLooked = false;
        for (int row = from; row < rows(leaf); row++) {
            Object node = node(leaf, row);
            if (node == null) {
                continue;
            }
            if (hasLooked && matching.isOver()) {
                return row;
            }
            matching.node((Node<?>) node);
            hasLooked = true;
        }
        return 0;
    }
}
