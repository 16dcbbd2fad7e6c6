package winnow.selector.index.term;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;
import winnow.selector.slot.SlotValues;

/// An atom asked for TRUE or for FALSE. Most are a [SharedTerm], which exists once per index
/// however many selectors have it; a [RangeTerm] belongs to one selector.
///
/// Every term belongs to one slot, and is true only if that slot has a value; [MissingTerm] is the
/// opposite.
public abstract non-sealed class Term extends Formula {

    public final SlotProbe probe;

    Term(SlotProbe probe) {
        this.probe = probe;
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
    public int mask(Buckets buckets) {
        return Buckets.PRESENT;
    }

    /// True if the class of a value tells exactly whether it is true.
    public boolean isToldBy(Buckets buckets) {
        return false;
    }

    /// True if it is true for every message for which a key of its formula is.
    public abstract boolean isImpliedBy(SharedTerm key);

    /// True if one of these keys is true for the same messages.
    public abstract boolean isAmong(Set<SharedTerm> keys);

    @Override
    boolean mayHaveKey(SharedTerm key) {
        return isFoundBy(key);
    }

    /// Writes down how it is tested.
    public abstract void write(TestWriter row);

    /// Cost of a message per node that hangs on this term: the better the term tells messages
    /// apart, the lower. The unit is arbitrary.
    public abstract double cost();

    /// The same if the term is true for this part of the messages, so that the unit becomes a
    /// hundredth of a candidate.
    public double cost(double hitRate) {
        return 100 * hitRate;
    }

    /// The same for keys of which one is true for this part of the messages.
    public static double cost(List<? extends Term> keys, double hitRate) {
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

    public abstract KeyKind kind();

    /// The terms of which one is true exactly if this one is: itself, unless others are found
    /// faster.
    public List<? extends Term> keys() {
        return List.of(this);
    }

    /// Term that is observed for it: itself, or another that is true for the same messages.
    public Term observed() {
        return this;
    }

    /// One use more.
    public abstract void acquire();

    /// One use less.
    ///
    /// @return whether that was the last
    abstract boolean release();

    public abstract boolean isUsed();

    /// Releases what it was made from.
    abstract void dispose(Terms terms);

    @Override
    public final int termCount() {
        return 1;
    }

    @Override
    public final void forEachTerm(Consumer<Term> consumer) {
        consumer.accept(this);
    }
}
