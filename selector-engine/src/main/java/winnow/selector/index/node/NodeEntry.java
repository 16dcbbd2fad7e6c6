package winnow.selector.index.node;

import winnow.selector.index.Entry;

/// One subscriber of a node. Its state is the writer's.
public final class NodeEntry<S> implements Entry<S> {

    private final S subscriber;
    private final Node<S> node;

    /// Where it is in a large list of [Subscribers]; its complement when it is removed.
    private int chunk;

    /// The number of messages that had been sampled when it was added, without its upper half.
    private final int firstSample;

    public NodeEntry(S subscriber, Node<S> node, long samples) {
        this.subscriber = subscriber;
        this.node = node;
        this.firstSample = (int) samples;
    }

    /// How many messages were sampled since it was added.
    ///
    /// @param samples how many were until now
    public long samplesSince(long samples) {
        return Integer.toUnsignedLong((int) samples - firstSample);
    }

    @Override
    public S subscriber() {
        return subscriber;
    }

    public Node<S> node() {
        return node;
    }

    /// True the first time.
    public boolean remove() {
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
