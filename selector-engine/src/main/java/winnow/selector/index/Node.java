package winnow.selector.index;

import org.jspecify.annotations.Nullable;
import winnow.selector.SlotValues;

/// A distinct selector with its subscribers. It hangs in the clusters of its keys as long as it has
/// a subscriber.
///
/// The writer owns it; readers follow the volatile list of subscribers, the rest is final.
final class Node<S> implements Member {

    private final Formula formula;
    private final Term[] keys;
    private final int number;

    /// Whether a true key says it all.
    private final boolean exact;

    /// The first version of the slots that has all the formula looks at.
    private final int requiredVersion;

    /// Content of [Subscribers].
    private volatile @Nullable Object subscribers;

    Node(Formula formula, AccessKeys keys, int number, int requiredVersion) {
        this.formula = formula;
        this.keys = keys.terms().toArray(Term[]::new);
        this.exact = keys.exact();
        this.number = number;
        this.requiredVersion = requiredVersion;
    }

    Formula formula() {
        return formula;
    }

    Term[] keys() {
        return keys;
    }

    @Override
    public int number() {
        return number;
    }

    boolean isExact() {
        return exact;
    }

    /// Whether two keys may lead here for one message.
    boolean hasSeveralKeys() {
        return keys.length > 1;
    }

    /// Whether the message was read so early that it may lack what the formula looks at.
    boolean isNewerThan(SlotValues values) {
        return values.version() < requiredVersion;
    }

    void add(Entry<S> entry) {
        subscribers = Subscribers.with(subscribers, entry);
    }

    void remove(Entry<S> entry) {
        subscribers = Subscribers.without(subscribers, entry);
    }

    boolean isEmpty() {
        return subscribers == null;
    }

    /// Number of subscribers. Writer only.
    int size() {
        return Subscribers.size(subscribers);
    }

    /// Any thread.
    @Nullable Object subscribers() {
        return subscribers;
    }
}
