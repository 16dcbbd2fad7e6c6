package winnow.selector.index.match;

import java.util.Arrays;
import winnow.selector.index.node.Block;
import winnow.selector.index.node.Blocks;
import winnow.selector.index.node.Leaf;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.NodeEntry;
import winnow.selector.index.node.Subscribers;
import winnow.selector.index.structure.Member;
import winnow.selector.index.structure.Members;
import winnow.selector.index.term.Lookup;
import winnow.selector.index.term.Probes;
import winnow.selector.index.term.SharedTerm;

/// Goes through the contents of clusters and the lists of subscribers that a match leads to, and
/// notes what is left when it is stopped, each from a position on. The contents are as they were
/// when the match came to them, or are changed in place, so that what stays in them keeps its
/// position. Owned by one event loop.
final class Unvisited {
    private static final int FIRST_ITEMS = 8;

    /// Items that there is room for after a match that needed room for more.
    private static final int MAX_KEPT_ITEMS = 1024;

    private static final Object NOTHING = new Object();

    private Visit[] visits = new Visit[FIRST_ITEMS];
    private Object[] contents = new Object[FIRST_ITEMS];
    private int[] positions = new int[FIRST_ITEMS];
    private int count;

    /// Step that is left to do with a content.
    enum Visit {
        /// Slots of the message to look up.
        SLOTS,
        /// The rest of the lookup of one.
        LOOKUP,
        /// Nodes to look at.
        NODES,
        /// Terms to test.
        TERMS,
        /// A node whose formula is half tested.
        HALF_TESTED,
        /// Subscribers who get the message.
        SUBSCRIBERS
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(Visit visit, Object content, int position) {
        if (count == contents.length) {
            visits = Arrays.copyOf(visits, 2 * count);
            contents = Arrays.copyOf(contents, 2 * count);
            positions = Arrays.copyOf(positions, 2 * count);
        }
        visits[count] = visit;
        contents[count] = content;
        positions[count] = position;
        count++;
    }

    /// Visits what was added last, which may add something again.
    void visitLast(Matching matching) {
        int last = --count;
        Object content = contents[last];
        contents[last] = NOTHING;
        switch (visits[last]) {
            case NODES -> visitNodes(content, positions[last], matching);
            case TERMS -> visitTerms(content, positions[last], matching);
            case SLOTS -> matching.probe((Probes) content, positions[last]);
            case LOOKUP -> ((Lookup) content).goOn(matching);
            case HALF_TESTED -> matching.test((Node<?>) content, null);
            case SUBSCRIBERS -> visitSubscribers(content, positions[last], matching);
        }
    }

    /// Tests the terms of a cluster's content, and hits those that are true.
    void visitTerms(Object terms, int from, Matching matching) {
        if (terms instanceof SharedTerm term) {
            visitTerm(term, matching);
        } else if (terms instanceof Member[] flat) {
            for (int i = from; i < flat.length; i++) {
                if (matching.isOver()) {
                    add(Visit.TERMS, flat, i);
                    return;
                }
                matching.test((SharedTerm) flat[i]);
            }
        } else {
            Members.Chunks chunks = (Members.Chunks) terms;
            for (int i = from; i < chunks.count(); i++) {
                if (matching.isOver()) {
                    add(Visit.TERMS, chunks, i);
                    return;
                }
                visitTerms(chunks.chunk(i), 0, matching);
            }
        }
    }

    /// Tests a term, and hits it if it is true.
    void visitTerm(SharedTerm term, Matching matching) {
        if (matching.isOver()) {
            add(Visit.TERMS, term, 0);
        } else {
            matching.test(term);
        }
    }

    /// Looks at the nodes of a cluster's content.
    void visitNodes(Object nodes, int from, Matching matching) {
        if (nodes instanceof Node<?> node) {
            matching.node(node);
        } else if (Leaf.is(nodes)) {
            int next = matching.leaf((Object[]) nodes, from);
            if (next > 0) {
                add(Visit.NODES, nodes, next);
            }
        } else if (nodes instanceof Blocks blocks) {
            visitBlocks(blocks.current(), 0, matching);
        } else {
            visitBlocks((Block[]) nodes, from, matching);
        }
    }

    /// @param from block and row, as one number
    private void visitBlocks(Block[] blocks, int from, Matching matching) {
        int row = from % Block.MAX_ROWS;
        for (int i = from / Block.MAX_ROWS; i < blocks.length; i++) {
            if (!matching.isOver()) {
                row = matching.block(blocks[i], row);
                if (row == 0) {
                    continue;
                }
            }
            add(Visit.NODES, blocks, i * Block.MAX_ROWS + row);
            return;
        }
    }

    /// Gives the message to subscribers.
    void visitSubscribers(Object subscribers, int from, Matching matching) {
        if (subscribers instanceof NodeEntry<?>[] flat) {
            if (matching.isOver()) {
                add(Visit.SUBSCRIBERS, flat, 0);
            } else {
                matching.deliverEach(flat);
            }
        } else if (subscribers instanceof Subscribers.Chunks chunks) {
            for (int i = from; i < chunks.count(); i++) {
                if (matching.isOver()) {
                    add(Visit.SUBSCRIBERS, chunks, i);
                    return;
                }
                matching.deliverEach(chunks.chunk(i));
            }
        } else {
            matching.deliver(subscribers);
        }
    }

    void clear() {
        Arrays.fill(contents, 0, count, NOTHING);
        count = 0;
        shrink();
    }

    /// Gives memory back that the next match will hardly need.
    void shrink() {
        if (count == 0 && contents.length > MAX_KEPT_ITEMS) {
            visits = new Visit[FIRST_ITEMS];
            contents = new Object[FIRST_ITEMS];
            positions = new int[FIRST_ITEMS];
        }
    }
}
