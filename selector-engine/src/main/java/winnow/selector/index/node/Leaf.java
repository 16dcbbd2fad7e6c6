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
/// it: the tests as int[], either [IntervalRows] or [FilteredRows], and then the node of each row.
/// The tests are never changed. A node that goes leaves its row vacant, until one with the same
/// tests comes, or the rows are written anew.
public final class Leaf {
    /// As many as a bitmap in one long has bits, at most. Copying 48 takes about 150 ns.
    static final int MAX_ROWS = 48;

    private static final int FIRST_NODE = 1;

    private static final VarHandle NODES = MethodHandles.arrayElementVarHandle(Object[].class);

    private Leaf() {}

    /// Whether the content of a cluster is a leaf.
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
        int[] intervals = IntervalRows.of(rows);
        leaf[0] = intervals == null ? FilteredRows.of(rows) : intervals;
        return leaf;
    }

    /// How many rows there are, with those that are vacant.
    public static int rows(Object[] leaf) {
        return leaf.length - FIRST_NODE;
    }

    /// How many nodes there are. Any thread.
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
            Node<?> node = node(leaf, row);
            if (node != null) {
                members.add(node);
            }
        }
        return members;
    }

    /// The node of a row, null if it is vacant. Any thread.
    private static @Nullable Node<?> node(Object[] leaf, int row) {
        return (Node<?>) NODES.getAcquire(leaf, FIRST_NODE + row);
    }

    /// Does not look at the node, which would be a cache miss.
    private static boolean isVacant(Object[] leaf, int row) {
        return leaf[FIRST_NODE + row] == null;
    }

    private static int[] ints(Object[] leaf) {
        return (int[]) leaf[0];
    }

    /// One that has a node more, which may be the same.
    ///
    /// @param formula of the node
    /// @param key that leads to the nodes
    static Object[] with(Object[] leaf, Node<?> node, Formula formula, SharedTerm key) {
        int[] row = new RowWriter(key).row(RowWriter.part(node, formula, key), RowWriter.MAX_INTS);
        int[] ints = ints(leaf);
        boolean vacant = false;
        for (int i = 0; i < rows(leaf); i++) {
            if (isVacant(leaf, i)) {
                vacant = true;
                if (is(ints, rows(leaf), i, row)) {
                    NODES.setRelease(leaf, FIRST_NODE + i, node);
                    return leaf;
                }
            }
        }
        Object[] more = with(vacant ? withoutVacant(leaf) : leaf, node, row);
        if (more == null) {
            List<Node<?>> members = members(leaf);
            members.add(node);
            return of(key, members);
        }
        return more;
    }

    private static boolean is(int[] ints, int rows, int row, int[] tests) {
        return IntervalRows.are(ints)
                ? IntervalRows.is(ints, row, tests)
                : FilteredRows.is(ints, rows, row, tests);
    }

    /// @return null if the rows have to be written anew
    private static Object @Nullable [] with(Object[] leaf, Node<?> node, int[] row) {
        int[] before = ints(leaf);
        int[] ints =
                IntervalRows.are(before)
                        ? IntervalRows.with(before, row)
                        : FilteredRows.with(before, rows(leaf), row);
        if (ints == null) {
            return null;
        }
        Object[] more = Arrays.copyOf(leaf, leaf.length + 1);
        more[0] = ints;
        more[leaf.length] = node;
        return more;
    }

    /// What there is without a node, which must be there and not alone.
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
        Object[] rest = leaf;
        for (int row = rows(leaf) - 1; row >= 0; row--) {
            if (isVacant(rest, row)) {
                rest = without(rest, row);
            }
        }
        return rest;
    }

    private static Object[] without(Object[] leaf, int row) {
        int[] before = ints(leaf);
        Object[] fewer = Arrays.copyOf(leaf, leaf.length - 1);
        int at = FIRST_NODE + row;
        System.arraycopy(leaf, at + 1, fewer, at, fewer.length - at);
        fewer[0] =
                IntervalRows.are(before)
                        ? IntervalRows.without(before, row)
                        : FilteredRows.without(before, rows(leaf), row);
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
    /// @param from the row to begin with
    /// @return the row to go on with because the match is over, 0 if all were looked at
    public static int match(Object[] leaf, SlotValues values, NodeVisitor matching, int from) {
        int[] ints = ints(leaf);
        return IntervalRows.are(ints)
                ? matchIntervals(leaf, ints, values, matching, from)
                : matchRows(leaf, ints, values, matching, from);
    }

    private static int matchIntervals(
            Object[] leaf, int[] ints, SlotValues values, NodeVisitor matching, int from) {
        int count = rows(leaf);
        int code = IntervalRows.code(ints, values);
        long passing = IntervalRows.passing(ints, count, code);
        int slow = matching.slowTests();
        for (long rows = passing & -1L << from; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            Node<?> node = node(leaf, row);
            if (node == null) {
                continue;
            }
            if (IntervalRows.isCertain(ints, row, code, values)) {
                matching.found(node);
                continue;
            }
            matching.node(node);
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
        int count = rows(leaf);
        values.lookUpStrings();
        long passing = FilteredRows.passing(ints, count, values.codes());
        int slow = matching.slowTests();
        for (long rows = passing & -1L << from; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            Node<?> node = node(leaf, row);
            if (node == null) {
                continue;
            }
            int start = FilteredRows.start(ints, count, row);
            int end = FilteredRows.end(ints, count, row);
            int result = RowTests.test(ints, start, end, values, matching);
            if (result == RowTests.TRUE) {
                matching.found(node);
            } else if (result == RowTests.UNSURE) {
                matching.node(node);
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
        for (int i = from; i < rows(leaf); i++) {
            if (i > from && matching.isOver()) {
                return i;
            }
            Node<?> node = node(leaf, i);
            if (node != null) {
                matching.node(node);
            }
        }
        return 0;
    }
}
