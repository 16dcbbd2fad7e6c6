package winnow.selector.index;

/// One subscriber in a [SelectorIndex]; the handle to remove it. Its state is the writer's.
public final class Entry<S> {

    private final S subscriber;
    private final Node<S> node;

    /// Where it is in a large list of [Subscribers]; its complement when it is removed.
    private int chunk;

    Entry(S subscriber, Node<S> node) {
        this.subscriber = subscriber;
        this.node = node;
    }

    public S subscriber() {
        return subscriber;
    }

    Node<S> node() {
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

    int chunk() {
        return chunk < 0 ? ~chunk : chunk;
    }

    /// Only before it is removed.
    void chunk(int newChunk) {
        chunk = newChunk;
    }
}
