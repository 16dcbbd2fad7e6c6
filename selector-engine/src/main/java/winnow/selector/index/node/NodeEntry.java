package winnow.selector.index.node;

import winnow.selector.index.api.SubscriberHandle;

/// One subscriber of a node, and its handle, unless it is the node's first, whose handle the node
/// is. Its state is the writer's.
public final class NodeEntry<S> implements SubscriberHandle<S> {

    private final S subscriber;
    private final Node<S> node;

    /// Number of its chunk in a large list of [Subscribers]; the complement of it when this is no
    /// handle, or not any more.
    private int chunk;

    NodeEntry(S subscriber, Node<S> node) {
        this.subscriber = subscriber;
        this.node = node;
    }

    /// The node's first in a list with others. It is always in the first chunk.
    static <S> NodeEntry<S> ofFirst(Object subscriber, Node<S> node) {
        @SuppressWarnings("unchecked") // It is the node's.
        NodeEntry<S> entry = new NodeEntry<>((S) subscriber, node);
        entry.chunk = ~0;
        return entry;
    }

    public S subscriber() {
        return subscriber;
    }

    public Node<S> node() {
        return node;
    }

    /// False for the node's first, and when it was removed.
    boolean isHandle() {
        return chunk >= 0;
    }

    /// True the first time.
    boolean remove() {
        boolean first = isHandle();
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
