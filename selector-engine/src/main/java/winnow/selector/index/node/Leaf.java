package winnow.selector.index.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.SlotValues;

/// The nodes of a small cluster, with what each asks besides the key side by side in one array, so
/// that a message looks only at nodes which match. An array that is never changed, so that there is
/// no object around it: the tests as int[], either [IntervalRows] or [FilteredRows], and then the
/// nodes.
public final class Leaf {
    /// As many as a bitmap in one long has bits, at most. Copying 48 takes about 150 ns.
    static final int MAX_NODES = 48;

    private static final int FIRST_NODE = 1;

    private Leaf() {}

    /// Whether the content of a cluster is a leaf.
    public static boolean is(@Nullable Object content) {
        return content != null && content.getClass() == Object[].class;
    }

    /// @param key that leads to the nodes
    /// @param members from two to [#MAX_NODES]
    static Object[] of(SharedTerm key, List<? extends Node<?>> members) {
        RowWriter writer = new RowWriter(key);
        List<int[]> rows = new ArrayList<>(members.size());
        Object[] leaf = new Object[FIRST_NODE + members.size()];
        for (int i = 0; i < members.size(); i++) {
            rows.add(writer.row(RowWriter.part(members.get(i), key), RowWriter.MAX_INTS));
            leaf[FIRST_NODE + i] = members.get(i);
        }
        int[] intervals = IntervalRows.of(rows);
        leaf[0] = intervals == null ? FilteredRows.of(rows) : intervals;
        return leaf;
    }

    public static int size(Object[] leaf) {
        return leaf.length - FIRST_NODE;
    }

    static boolean isFull(Object[] leaf) {
        return size(leaf) == MAX_NODES;
    }

    static List<Node<?>> members(Object[] leaf) {
        List<Node<?>> members = new ArrayList<>(size(leaf));
        for (int i = 0; i < size(leaf); i++) {
            members.add(node(leaf, i));
        }
        return members;
    }

    private static Node<?> node(Object[] leaf, int row) {
        return (Node<?>) leaf[FIRST_NODE + row];
    }

    private static int[] ints(Object[] leaf) {
        return (int[]) leaf[0];
    }

    /// One that has a node more.
    ///
    /// @param formula of the node
    /// @param key that leads to the nodes
    static Object[] with(Object[] leaf, Node<?> node, Formula formula, SharedTerm key) {
        int[] row = new RowWriter(key).row(RowWriter.part(node, formula, key), RowWriter.MAX_INTS);
        int[] before = ints(leaf);
        int[] ints =
                IntervalRows.are(before)
                        ? IntervalRows.with(before, row)
                        : FilteredRows.with(before, size(leaf), row);
        if (ints == null) {
            List<Node<?>> members = members(leaf);
            members.add(node);
            return of(key, members);
        }
        Object[] more = Arrays.copyOf(leaf, leaf.length + 1);
        more[0] = ints;
        more[leaf.length] = node;
        return more;
    }

    /// One that has a node less, which must be there and not alone.
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    static Object[] without(Object[] leaf, Node<?> node) {
        int gone = 0;
        while (leaf[FIRST_NODE + gone] != node) {
            gone++;
        }
        int[] before = ints(leaf);
        Object[] fewer = Arrays.copyOf(leaf, leaf.length - 1);
        int at = FIRST_NODE + gone;
        System.arraycopy(leaf, at + 1, fewer, at, fewer.length - at);
        fewer[0] =
                IntervalRows.are(before)
                        ? IntervalRows.without(before, gone)
                        : FilteredRows.without(before, size(leaf), gone);
        return fewer;
    }

    /// Reads what [#match] begins with and returns something that depends on it. Any thread.
    ///
    /// @param content of a cluster
    public static int readAhead(@Nullable Object content) {
        return is(content) && content instanceof Object[] leaf ? ints(leaf)[0] : 0;
    }

    /// Looks at the nodes that match. Any thread.
    ///
    /// @param from the node to begin with
    /// @return the node to go on with because the match is over, 0 if all were looked at
    public static int match(Object[] leaf, SlotValues values, NodeVisitor matching, int from) {
        int[] ints = ints(leaf);
        return IntervalRows.are(ints)
                ? matchIntervals(leaf, ints, values, matching, from)
                : matchRows(leaf, ints, values, matching, from);
    }

    private static int matchIntervals(
            Object[] leaf, int[] ints, SlotValues values, NodeVisitor matching, int from) {
        int count = size(leaf);
        int code = IntervalRows.code(ints, values);
        long passing = IntervalRows.passing(ints, count, code);
        int slow = matching.slowTests();
        for (long rows = passing & -1L << from; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            if (IntervalRows.isCertain(ints, row, code, values)) {
                matching.found(node(leaf, row));
                continue;
            }
            matching.node(node(leaf, row));
            if (matching.slowTests() != slow) {
                if (matching.isOver()) {
                    return (row + 1) % count;
                }
                slow = matching.slowTests();
            }
        }
        return 0;
    }

    private static int matchRows(
            Object[] leaf, int[] ints, SlotValues values, NodeVisitor matching, int from) {
        int count = size(leaf);
        values.lookUpStrings();
        long passing = FilteredRows.passing(ints, count, values.codes());
        int slow = matching.slowTests();
        for (long rows = passing & -1L << from; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            int start = FilteredRows.start(ints, count, row);
            int end = FilteredRows.end(ints, count, row);
            int result = RowTests.test(ints, start, end, values, matching);
            if (result == RowTests.TRUE) {
                matching.found(node(leaf, row));
            } else if (result == RowTests.UNSURE) {
                matching.node(node(leaf, row));
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
    /// @param from the node to begin with
    /// @return the node to go on with because the match is over, 0 if all were looked at
    public static int lookAtAll(Object[] leaf, NodeVisitor matching, int from) {
        for (int i = from; i < size(leaf); i++) {
            if (i > from && matching.isOver()) {
                return i;
            }
            matching.node(node(leaf, i));
        }
        return 0;
    }
}
