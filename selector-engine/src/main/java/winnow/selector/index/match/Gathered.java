package winnow.selector.index.match;

import winnow.selector.index.node.Node;

/// Hits and nodes that a match has come to and is yet to look at, gathered so that the cache misses
/// of several overlap. Owned by one event loop.
final class Gathered {
    private final Hits hits = new Hits();
    private final Found found = new Found();

    /// One look tells most messages that there is nothing.
    private boolean any;

    /// @param nodes content of a cluster
    void hit(Object nodes, Matching matching) {
        if (hits.isFull()) {
            hits.visit(matching);
        }
        hits.add(nodes);
        any = true;
    }

    /// @param node that matches
    void found(Node<?> node, Matching matching) {
        if (found.isFull()) {
            found.tell(matching);
        }
        found.add(node);
        any = true;
    }

    /// Looks at everything.
    void visit(Matching matching) {
        if (any) {
            hits.visit(matching);
            found.tell(matching);
            any = false;
        }
    }

    void clear() {
        hits.clear();
        found.clear();
        any = false;
    }
}
