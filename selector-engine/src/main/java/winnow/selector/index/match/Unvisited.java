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
import winnow.selector.index.term.Term;

/// Goes through the contents of clusters and the lists of subscribers that a match leads to, and
/// notes what is left when it is stopped, each from a position on. The contents are as they were
/// when the match came to them, or are changed in place, so that what stays in them keeps its
/// position. Owned by one event loop.
final class Unvisited {
    private static final int FIRST_ITEMS = 8;

    /// So many terms are tested before it is asked whether the match is over.
    private static final int TERMS_PER_LOOK = 32;

    private static final Object NOTHING = new Object();

    private Visit[] visits = new Visit[FIRST_ITEMS];
    private Object[] contents = new Object[FIRST_ITEMS];
    private int[] positions = new int[FIRST_ITEMS];
    private int count;

    /// What there is to do with a content.
    enum Visit {
        /// Nodes to look at.
        NODES,
        /// Terms to test.
        TERMS,
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
            case SUBSCRIBERS -> visitSubscribers(content, positions[last], matching);
        }
    }

    /// Tests the terms of a cluster's content, and hits those that are true.
    void visitTerms(Object terms, int from, Matching matching) {
        if (terms instanceof Term term) {
            matching.candidate(term);
        } else if (terms instanceof Member[] flat) {
            for (int i = from; i < flat.length; i++) {
                if (i % TERMS_PER_LOOK == 0 && matching.isOver()) {
                    add(Visit.TERMS, flat, i);
                    return;
                }
                matching.candidate((Term) flat[i]);
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

    /// Looks at the nodes of a cluster's content.
    void visitNodes(Object nodes, int from, Matching matching) {
        if (nodes instanceof Node<?> node) {
            matching.node(node);
        } else if (nodes instanceof Leaf leaf) {
            matching.leaf(leaf);
        } else if (nodes instanceof Blocks blocks) {
            visitBlocks(blocks.current(), 0, matching);
        } else {
            visitBlocks((Block[]) nodes, from, matching);
        }
    }

    private void visitBlocks(Block[] blocks, int from, Matching matching) {
        for (int i = from; i < blocks.length; i++) {
            if (matching.isOver()) {
                add(Visit.NODES, blocks, i);
                return;
            }
            matching.block(blocks[i]);
        }
    }

    /// Gives the message to subscribers.
    void visitSubscribers(Object subscribers, int from, Matching matching) {
        if (subscribers instanceof NodeEntry<?> entry) {
            matching.deliver(entry);
        } else if (subscribers instanceof Object[] flat) {
            matching.deliver(flat);
        } else {
            Subscribers.Chunks chunks = (Subscribers.Chunks) subscribers;
            for (int i = from; i < chunks.count(); i++) {
                if (matching.isOver()) {
                    add(Visit.SUBSCRIBERS, chunks, i);
                    return;
                }
                matching.deliver(chunks.chunk(i));
            }
        }
    }

    void clear() {
        Arrays.fill(contents, 0, count, NOTHING);
        count = 0;
    }
}
