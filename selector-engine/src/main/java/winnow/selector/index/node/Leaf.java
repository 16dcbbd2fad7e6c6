package winnow.selector.index.node;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.SlotValues;

/// The nodes of a small cluster, with what each asks besides the key side by side in one array, so
/// that a message looks only at nodes which match. Immutable.
public final class Leaf {
    /// As many as a bitmap in one long has bits, at most. Copying 48 takes about 150 ns.
    static final int MAX_NODES = 48;

    private final Node<?>[] nodes;

    /// By node, and one more, where its tests begin; then the tests; then a [RowFilter] by node,
    /// all of one length.
    private final int[] ints;

    private Leaf(Node<?>[] nodes, int[] ints) {
        this.nodes = nodes;
        this.ints = ints;
    }

    /// @param key that leads to the nodes
    /// @param members from one to [#MAX_NODES]
    static Leaf of(SharedTerm key, List<? extends Node<?>> members) {
        RowWriter writer = new RowWriter(key);
        List<int[]> rows = new ArrayList<>(members.size());
        int length = members.size() + 1;
        int filterInts = RowFilter.INTERVAL_INTS;
        for (Node<?> member : members) {
            int[] row = writer.row(member, RowWriter.MAX_INTS);
            rows.add(row);
            length += row.length;
            filterInts = Math.max(filterInts, RowFilter.length(row, 0, row.length));
        }
        int[] ints = new int[length + members.size() * filterInts];
        int at = members.size() + 1;
        for (int i = 0; i < rows.size(); i++) {
            int[] row = rows.get(i);
            ints[i] = at;
            System.arraycopy(row, 0, ints, at, row.length);
            at += row.length;
        }
        ints[rows.size()] = at;
        writeFilters(ints, rows.size(), filterInts);
        return new Leaf(members.toArray(Node<?>[]::new), ints);
    }

    private static void writeFilters(int[] ints, int count, int filterInts) {
        int at = ints[count];
        for (int i = 0; i < count; i++, at += filterInts) {
            RowFilter.write(ints, ints[i], ints[i + 1], ints, at, filterInts);
        }
    }

    public int size() {
        return nodes.length;
    }

    private int filterInts() {
        return (ints.length - ints[nodes.length]) / nodes.length;
    }

    boolean isFull() {
        return nodes.length == MAX_NODES;
    }

    List<Node<?>> members() {
        return List.of(nodes);
    }

    /// One that has a node more.
    ///
    /// @param key that leads to the nodes
    Leaf with(Node<?> node, SharedTerm key) {
        int[] row = new RowWriter(key).row(node, RowWriter.MAX_INTS);
        int count = nodes.length;
        Node<?>[] more = new Node<?>[count + 1];
        System.arraycopy(nodes, 0, more, 0, count);
        more[count] = node;
        int end = ints[count];
        int newEnd = end + 1 + row.length;
        int filterBefore = filterInts();
        int filterInts = Math.max(filterBefore, RowFilter.length(row, 0, row.length));
        int[] longer = new int[newEnd + (count + 1) * filterInts];
        for (int i = 0; i <= count; i++) {
            longer[i] = ints[i] + 1;
        }
        longer[count + 1] = newEnd;
        System.arraycopy(ints, count + 1, longer, count + 2, end - count - 1);
        System.arraycopy(row, 0, longer, end + 1, row.length);
        if (filterInts > filterBefore) {
            writeFilters(longer, count + 1, filterInts);
        } else {
            int filters = count * filterInts;
            System.arraycopy(ints, end, longer, newEnd, filters);
            RowFilter.write(longer, end + 1, newEnd, longer, newEnd + filters, filterInts);
        }
        return new Leaf(more, longer);
    }

    /// One that has a node less, which must be there and not alone.
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    Leaf without(Node<?> node) {
        int gone = 0;
        while (nodes[gone] != node) {
            gone++;
        }
        int count = nodes.length - 1;
        Node<?>[] fewer = new Node<?>[count];
        System.arraycopy(nodes, 0, fewer, 0, gone);
        System.arraycopy(nodes, gone + 1, fewer, gone, count - gone);
        int from = ints[gone];
        int to = ints[gone + 1];
        int end = ints[count + 1];
        int newEnd = end - 1 - (to - from);
        int filterInts = filterInts();
        int[] shorter = new int[ints.length - 1 - (to - from) - filterInts];
        for (int i = 0; i <= count; i++) {
            shorter[i] = i <= gone ? ints[i] - 1 : ints[i + 1] - 1 - (to - from);
        }
        System.arraycopy(ints, count + 2, shorter, count + 1, from - count - 2);
        System.arraycopy(ints, to, shorter, from - 1, end - to);
        int before = gone * filterInts;
        int after = before + filterInts;
        System.arraycopy(ints, end, shorter, newEnd, before);
        System.arraycopy(ints, end + after, shorter, newEnd + before, ints.length - end - after);
        return new Leaf(fewer, shorter);
    }

    /// Reads what [#match] begins with and returns something that depends on it. Any thread.
    public int readAhead() {
        return ints[0];
    }

    /// Looks at the nodes that match. Any thread.
    ///
    /// @param from the node to begin with
    /// @return the node to go on with because the match is over, 0 if all were looked at
    public int match(SlotValues values, NodeVisitor matching, int from) {
        int count = nodes.length;
        long passing = RowFilter.passing(ints, ints[count], count, values.codes());
        int slow = matching.slowTests();
        for (long rows = passing & -1L << from; rows != 0; rows &= rows - 1) {
            int row = Long.numberOfTrailingZeros(rows);
            match(row, values, matching);
            if (matching.slowTests() != slow) {
                if (matching.isOver()) {
                    return (row + 1) % count;
                }
                slow = matching.slowTests();
            }
        }
        return 0;
    }

    private void match(int i, SlotValues values, NodeVisitor matching) {
        int result = RowTests.test(ints, ints[i], ints[i + 1], values, matching);
        if (result == RowTests.TRUE) {
            matching.found(nodes[i]);
        } else if (result == RowTests.UNSURE) {
            matching.node(nodes[i]);
        }
    }

    /// Looks at all nodes, also at those that do not match. Any thread.
    ///
    /// @param from the node to begin with
    /// @return the node to go on with because the match is over, 0 if all were looked at
    public int lookAtAll(NodeVisitor matching, int from) {
        for (int i = from; i < nodes.length; i++) {
            if (i > from && matching.isOver()) {
                return i;
            }
            matching.node(nodes[i]);
        }
        return 0;
    }
}
