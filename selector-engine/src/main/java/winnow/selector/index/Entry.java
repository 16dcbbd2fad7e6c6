package winnow.selector.index;

/// One subscriber in a [SelectorIndex]; the handle to remove it. Its state is the writer's.
public final class Entry<S> {

    private final S subscriber;
    private final Node<S> node;
    private boolean removed;

    /// Where it is in a large list of [Subscribers].
    int chunk;

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
        boolean first = !removed;
        removed = true;
        return first;
    }
}
