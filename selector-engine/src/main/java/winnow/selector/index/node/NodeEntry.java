package winnow.selector.index.node;

import winnow.selector.index.Entry;

/// One subscriber of a node, unless it is the node's first. Its state is the writer's.
public final class NodeEntry<S> implements Entry<S> {

    private final S subscriber;
    private final Node<S> node;

    /// Where it is in a large list of [Subscribers]; its complement when it is removed.
    private int chunk;

    NodeEntry(S subscriber, Node<S> node) {
        this.subscriber = subscriber;
        this.node = node;
    }

    public S subscriber() {
        return subscriber;
    }

    public Node<S> node() {
        return node;
    }

    /// True the first time.
    boolean remove() {
        boolean first = chunk >= 0;
        if (first) {
            chunk = ~chunk;
        }
        return first;
    }

    public int chunk() {
        return chunk < 0 ? ~chunk : chunk;
    }

    /// Only before it is removed.
    void chunk(int newChunk) {
        chunk = newChunk;
    }
}
