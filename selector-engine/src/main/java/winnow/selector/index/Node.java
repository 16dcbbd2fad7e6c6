package winnow.selector.index;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.SlotValues;

/// A distinct selector with its subscribers. It hangs in the clusters of its keys as long as it has
/// a subscriber.
///
/// The writer owns it; readers follow the volatile list of subscribers, the rest is final.
final class Node<S> implements Member {

    private final Formula formula;

    /// Writer only.
    private Term[] keys;

    private final int number;

    /// Whether a true key says it all.
    private final boolean exact;

    /// Whether two keys may lead here for one message. If the formula has to be tested, the writer
    /// may change the keys while the message is matched.
    private final boolean seenOften;

    /// The first version of the slots that has all the formula looks at.
    private final int requiredVersion;

    /// For sampled messages; null unless some led here.
    private volatile @Nullable NodeStatistics statistics;

    /// Content of [Subscribers].
    private volatile @Nullable Object subscribers;

    Node(Formula formula, AccessKeys keys, int number, int requiredVersion) {
        this.formula = formula;
        this.keys = keys.terms().toArray(Term[]::new);
        this.exact = keys.exact();
        this.seenOften = !exact || this.keys.length > 1;
        this.number = number;
        this.requiredVersion = requiredVersion;
    }

    Formula formula() {
        return formula;
    }

    Term[] keys() {
        return keys;
    }

    Set<Term> keySet() {
        return Set.copyOf(Arrays.asList(keys));
    }

    @Override
    public int number() {
        return number;
    }

    /// Whether a key is tested for every message that has its name.
    boolean isScanned() {
        for (Term key : keys) {
            if (key.kind() == Plan.Kind.SCAN) {
                return true;
            }
        }
        return false;
    }

    boolean isExact() {
        return exact;
    }

    /// Whether it may be met twice for one message.
    boolean isSeenOften() {
        return seenOften;
    }

    /// Writer only.
    void hangsOn(AccessKeys newKeys) {
        keys = newKeys.terms().toArray(Term[]::new);
    }

    /// Null if it is not observed. Any thread.
    @Nullable NodeStatistics statistics() {
        return statistics;
    }

    /// Writer only.
    void observe(@Nullable NodeStatistics newStatistics) {
        statistics = newStatistics;
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
