package winnow.selector.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.structure.LinkedTable;
import winnow.selector.index.structure.Member;
import winnow.selector.index.term.CompactFormula;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.TermVisitor;
import winnow.selector.slot.Release;
import winnow.selector.slot.SlotValues;

/// A distinct selector with its subscribers. It hangs in the clusters of its keys as long as it has
/// a subscriber. Most have only one, so the node is itself the handle of its first.
///
/// The writer owns it; readers follow what is written with release. What else they read never
/// changes, but for the version that is required.
public final class Node<S> implements SubscriberHandle<S>, Member, LinkedTable.Linked<Node<S>> {

    /// Bit that is set if the selector is TRUE whenever a key is true, so that the formula need not
    /// be tested.
    private static final int EXACT = 1 << 31;

    /// Bit that is set if two keys may lead here for one message. If the formula has to be tested,
    /// the writer may change the keys while the message is matched.
    private static final int SEEN_OFTEN = 1 << 30;

    /// Bit that is set if a block may know its subscriber, and has to be told of another.
    private static final int KNOWN_BY_BLOCK = 1 << 29;

    private static final int NUMBER = KNOWN_BY_BLOCK - 1;

    /// Versions after which no message that saw an older one is still being matched.
    private static final int MAX_AGE = 1 << 30;

    /// With more, the clusters of the keys do not know its subscriber.
    private static final int MAX_TOLD_KEYS = 4;

    private static final VarHandle FORMULA = Release.of(MethodHandles.lookup(), "formula");
    private static final VarHandle OBSERVED = Release.of(MethodHandles.lookup(), "observed");
    private static final VarHandle SUBSCRIBERS = Release.of(MethodHandles.lookup(), "subscribers");

    /// See [CompactFormula]. The writer may change the order of operands. Other threads read it
    /// with [#FORMULA].
    private Object formula;

    /// A [SharedTerm] if it is one, as for nearly all nodes, else SharedTerm[]. Writer only.
    private Object keys;

    /// The number and the flags share an int, so that a node takes 40 bytes instead of 48. The
    /// number and the flags that readers ask for never change.
    private int numberAndFlags;

    /// Lower half of the version of the slots that a message needs to have seen: the first one that
    /// has all names and constants of the formula, or a later one that every message has seen. With
    /// the whole version a node would take 48 bytes. While the writer changes it, a reader may see
    /// the old or the new value.
    private int requiredVersion;

    /// [NodeStatistics], or [Unobserved] until a sampled message has led here. Other threads read
    /// it with [#OBSERVED].
    private Object observed;

    /// Content of [Subscribers].
    private volatile @Nullable Object subscribers;

    /// Of the formula.
    public final int hash;

    /// The next one of a chain of [Nodes]. Writer only.
    private @Nullable Node<S> next;

    public Node(
            Formula formula,
            List<SharedTerm> keys,
            boolean exact,
            int number,
            long requiredVersion,
            Unobserved observed) {
        this.formula = CompactFormula.of(formula, keys);
        this.keys = compact(keys);
        boolean seenOften = !exact || keys.size() > 1;
        this.numberAndFlags = number | (exact ? EXACT : 0) | (seenOften ? SEEN_OFTEN : 0);
        this.requiredVersion = (int) requiredVersion;
        this.hash = formula.hashCode();
        this.observed = observed;
    }

    private static Object compact(List<SharedTerm> keys) {
        return keys.size() == 1 ? keys.getFirst() : keys.toArray(SharedTerm[]::new);
    }

    @Override
    public int tableHash() {
        return hash;
    }

    @Override
    public @Nullable Node<S> next() {
        return next;
    }

    @Override
    public void next(@Nullable Node<S> newNext) {
        next = newNext;
    }

    /// Formula of the selector. An AND is made anew each time. Writer only.
    public Formula formula() {
        return CompactFormula.formula(formula, keys());
    }

    /// See [CompactFormula#addOperands]. Writer only.
    public void addOperandsTo(List<Formula> to) {
        CompactFormula.addOperands(formula, keys(), to);
    }

    /// Takes over the order of operands of the same formula. Writer only.
    public void reorder(Formula ordered) {
        FORMULA.setRelease(this, CompactFormula.reordered(formula, ordered, keys()));
    }

    /// See [Formula#effort]. Any thread.
    public int effort() {
        return CompactFormula.effort(FORMULA.getAcquire(this));
    }

    /// True if the formula is true, for a message that one of its keys led here, or that was being
    /// matched when it got other keys. Any thread; allocates nothing.
    public boolean test(SlotValues values, TermVisitor matching) {
        return CompactFormula.test(FORMULA.getAcquire(this), values, matching);
    }

    public List<SharedTerm> keys() {
        return keys instanceof SharedTerm term ? List.of(term) : Arrays.asList((SharedTerm[]) keys);
    }

    /// Writer only.
    boolean hasOneKey() {
        return keys instanceof SharedTerm;
    }

    public Set<SharedTerm> keySet() {
        return Set.copyOf(keys());
    }

    @Override
    public int number() {
        return numberAndFlags & NUMBER;
    }

    /// True if a key is tested for every message that has its name.
    public boolean isScanned() {
        for (SharedTerm key : keys()) {
            if (key.kind() == KeyKind.SCAN) {
                return true;
            }
        }
        return false;
    }

    public boolean isExact() {
        return (numberAndFlags & EXACT) != 0;
    }

    /// True if it may be met twice for one message.
    public boolean isSeenOften() {
        return (numberAndFlags & SEEN_OFTEN) != 0;
    }

    /// Messages may come without a key from now on. Writer only.
    public void mayMove() {
        FORMULA.setRelease(this, CompactFormula.whole(formula, keys()));
    }

    /// Writer only, after [#mayMove].
    public void hangsOn(List<SharedTerm> newKeys) {
        keys = compact(newKeys);
    }

    /// Null if it is not observed. Any thread.
    public @Nullable NodeStatistics statistics() {
        return OBSERVED.getAcquire(this) instanceof NodeStatistics statistics ? statistics : null;
    }

    /// Number of messages that were sampled since it came or ceased to be observed, 0 while it is
    /// observed. Writer only.
    ///
    /// @param samples how many were until now
    public long samplesWhileUnobserved(long samples) {
        return observed instanceof Unobserved(long since) ? samples - since : 0;
    }

    /// Writer only.
    public void observe(NodeStatistics statistics) {
        OBSERVED.setRelease(this, statistics);
    }

    /// Writer only.
    public void stopObserving(Unobserved unobserved) {
        OBSERVED.setRelease(this, unobserved);
    }

    /// True if the message was read so early that it may lack what the formula looks at.
    public boolean isNewerThan(SlotValues values) {
        return (int) values.version() - requiredVersion < 0;
    }

    int requiredVersion() {
        return requiredVersion;
    }

    /// The version that is required, or another one if that is later.
    int newest(int version) {
        int difference = requiredVersion - version;
        // What seems to be much older than MAX_AGE is later by 2^31 or somewhat more.
        boolean later = difference > 0 || difference < -MAX_AGE - MAX_AGE / 2;
        return later ? requiredVersion : version;
    }

    /// Keeps the version that is required near the current one, so that their difference fits in 32
    /// bits. Writer only.
    void age(long version) {
        if ((int) version - requiredVersion > MAX_AGE) {
            requiredVersion = (int) version - MAX_AGE;
        }
    }

    /// Adds a subscriber, whose handle it returns. Writer only.
    public SubscriberHandle<S> add(S subscriber) {
        if (subscribers == null && Subscribers.isPlain(subscriber)) {
            replaceSubscribers(subscriber);
            return this;
        }
        NodeEntry<S> entry = new NodeEntry<>(subscriber, this);
        replaceSubscribers(Subscribers.with(subscribers, entry));
        return entry;
    }

    /// The node of a handle.
    public static <S> Node<S> of(SubscriberHandle<S> entry) {
        return entry instanceof Node<S> node ? node : ((NodeEntry<S>) entry).node();
    }

    /// Removes a subscriber by its handle, which [#of] this node. Writer only.
    ///
    /// @return false if it was removed before
    public boolean remove(SubscriberHandle<S> handle) {
        Object before = subscribers;
        if (handle instanceof NodeEntry<S> entry) {
            if (!entry.remove()) {
                return false;
            }
            replaceSubscribers(Subscribers.without(before, entry));
            return true;
        }
        if (before == null || !Subscribers.haveFirst(before)) {
            return false;
        }
        replaceSubscribers(Subscribers.withoutFirst(before));
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // Equal subscribers are different ones.
    private void replaceSubscribers(@Nullable Object content) {
        if ((numberAndFlags & KNOWN_BY_BLOCK) == 0) {
            SUBSCRIBERS.setRelease(this, content);
            return;
        }
        Object before = onlySubscriber();
        SUBSCRIBERS.setRelease(this, content);
        if (before != onlySubscriber()) {
            keys().forEach(key -> Cluster.subscribersChanged(this, key));
        }
    }

    /// The subscriber, if it is one and the node has few keys, else null: with many keys it would
    /// take too long to tell all who keep it of changes.
    private @Nullable Object onlySubscriber() {
        return keys instanceof SharedTerm[] several && several.length > MAX_TOLD_KEYS
                ? null
                : Subscribers.only(subscribers);
    }

    /// The same, for a block, which keeps it and is told of changes. Writer only.
    @Nullable Object subscriberForBlock() {
        numberAndFlags |= KNOWN_BY_BLOCK;
        return onlySubscriber();
    }

    public boolean isEmpty() {
        return subscribers == null;
    }

    /// Number of subscribers. Writer only.
    public int size() {
        return Subscribers.size(subscribers);
    }

    /// Any thread.
    public @Nullable Object subscribers() {
        return subscribers;
    }
}
