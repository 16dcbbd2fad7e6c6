package winnow.selector.index.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Member;
import winnow.selector.slot.Release;

/// A term that exists once per index. One that is an access key holds the nodes to look at when it
/// is true. The subclasses differ in how a message's value finds them.
///
/// Owned by the writer, but for the cluster, which readers follow, and for what is final.
public abstract class SharedTerm extends Term implements Member {

    /// See [#breadth].
    private static final int BREADTH_OF_SCANS = 1_000;

    private static final VarHandle CLUSTER = Release.of(MethodHandles.lookup(), "cluster");

    private final int number;
    private int references;
    private volatile @Nullable Object cluster;

    SharedTerm(SlotProbe probe, int number) {
        super(probe);
        this.number = number;
    }

    /// Number among the terms of the index, but a [ConstantTerm]'s is among the constants of its
    /// slot.
    @Override
    public final int number() {
        return number;
    }

    @Override
    boolean isFoundBy(SharedTerm key) {
        return equals(key);
    }

    /// Rank by the number of messages that it is likely to be true for, compared with other keys of
    /// a node. Always the same: the parts of a formula depend on it.
    int breadth() {
        return switch (kind()) {
            case EQUALITY -> 0;
            case RANGE -> 1;
            case PREFIX, SUBSTRING -> 2;
            case MISSING -> 3;
            case SCAN -> BREADTH_OF_SCANS;
        };
    }

    @Override
    public final boolean isImpliedBy(SharedTerm key) {
        return keys().contains(key);
    }

    @Override
    public final boolean isAmong(Set<SharedTerm> keys) {
        return keys.contains(this);
    }

    /// Lets messages find the term, from its first node on.
    public final void link() {
        enter();
        if (isFoundByValues()) {
            probe.link();
        }
    }

    /// Hides it, after its last node is gone.
    public final void unlink() {
        if (isFoundByValues()) {
            probe.unlink();
        }
        leave();
    }

    /// True if values lead to it: a term that wants a value to be missing is found without one.
    private boolean isFoundByValues() {
        return kind() != KeyKind.MISSING;
    }

    /// Enters it where messages find it.
    abstract void enter();

    /// Takes it out of there.
    abstract void leave();

    /// The nodes, as content of a [winnow.selector.index.node.Cluster]. Any thread.
    public final @Nullable Object cluster() {
        return cluster;
    }

    /// Writer only, while the term is in use.
    public void cluster(@Nullable Object content) {
        CLUSTER.setRelease(this, content);
    }

    @Override
    public final void acquire() {
        references++;
    }

    /// By how many formulas, keys and other terms.
    final int references() {
        return references;
    }

    @Override
    public final boolean isUsed() {
        return references > 0;
    }

    @Override
    final boolean release() {
        references--;
        return references == 0;
    }

    /// By numbers, so that the order of operands is the same again; terms are equal by identity.
    @Override
    public int hashCode() {
        return probe.hash(2L * number);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other;
    }
}
