package winnow.selector.index.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.Plan;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.structure.Member;
import winnow.selector.index.structure.Release;
import winnow.selector.slot.SlotValues;

/// An atom asked for TRUE or for FALSE, once per index however many selectors have it. A term that
/// is an access key holds the nodes to look at when it is true.
///
/// Every term belongs to one slot, and is true only if that slot has a value; [MissingTerm] is the
/// opposite. The subclasses differ in how a message's value finds them.
///
/// Owned by the writer, but for what readers follow: the cluster is volatile, the rest final.
public abstract non-sealed class Term extends Formula implements Member {

    private static final VarHandle CLUSTER = Release.of(MethodHandles.lookup(), "cluster");

    public final SlotProbe probe;
    private final int number;
    private int references;

    /// The nodes, as content of a [winnow.selector.index.node.Cluster].
    private volatile @Nullable Object cluster;

    Term(SlotProbe probe, int number) {
        this.probe = probe;
        this.number = number;
    }

    /// Number among the terms of the index.
    @Override
    public final int number() {
        return number;
    }

    @Override
    boolean mayHaveKey(Term key) {
        return equals(key);
    }

    @Override
    public final int mask(int slot, Buckets buckets) {
        return slot == probe.slot() ? mask(buckets) : Buckets.ALL;
    }

    /// The highest slot that it looks at.
    public int newestSlot() {
        return probe.slot();
    }

    /// The classes of its slot's values for which it may be true.
    int mask(Buckets buckets) {
        return Buckets.PRESENT;
    }

    /// Whether the class of a value tells exactly whether it is true.
    public boolean isToldBy(Buckets buckets) {
        return false;
    }

    /// Writes down how it is tested.
    public abstract void write(TestWriter row);

    /// How much a message costs per node that hangs on this term: the better the term tells
    /// messages apart, the less. The unit is arbitrary.
    public abstract double cost();

    /// The same if the term is true for this part of the messages, so that the unit becomes a
    /// hundredth of a candidate.
    public double cost(double hitRate) {
        return 100 * hitRate;
    }

    /// The same for keys of which one is true for this part of the messages.
    public static double cost(List<Term> keys, double hitRate) {
        double cost = 100 * hitRate;
        for (Term key : keys) {
            cost += key.cost(0);
        }
        return cost;
    }

    /// The same by what sampled messages showed of the slot, or else by what is usual.
    ///
    /// @param sampledMessages how many there were
    public double likelyCost(long sampledMessages) {
        return cost();
    }

    /// The result without a message's memory, for a term that may be gone.
    public abstract boolean testUnremembered(SlotValues values);

    public abstract Plan.Kind kind();

    /// Lets messages find the term, from its first node on.
    public abstract void link();

    /// Hides it, after its last node is gone.
    public abstract void unlink();

    /// The terms of which one is true exactly if this one is: itself, unless others are found
    /// faster.
    public List<Term> keys() {
        return List.of(this);
    }

    /// Releases what it was made from.
    abstract void dispose(Terms terms);

    public final @Nullable Object cluster() {
        return cluster;
    }

    /// Writer only.
    public final void cluster(@Nullable Object content) {
        CLUSTER.setRelease(this, content);
    }

    public final void acquire() {
        references++;
    }

    /// By how many formulas, keys and other terms.
    final int references() {
        return references;
    }

    public final boolean isUsed() {
        return references > 0;
    }

    /// Returns whether that was the last use.
    final boolean release() {
        references--;
        return references == 0;
    }

    @Override
    public final void forEachTerm(Consumer<Term> consumer) {
        consumer.accept(this);
    }

    /// By number, so that the order of operands is the same again; terms are equal by identity.
    @Override
    public final int hashCode() {
        return number;
    }

    @Override
    public final boolean equals(Object other) {
        return this == other;
    }
}
