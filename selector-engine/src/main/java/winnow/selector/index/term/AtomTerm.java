package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.index.lookup.SlotProbe;

/// A term that is known by its atom. Ranges of numbers, of which there are most, are known by their
/// predicate, so that they take 8 bytes less.
abstract class AtomTerm extends PredicateTerm {

    private final Object identity;

    /// Of the identity, which may be large.
    private final int hash;

    AtomTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, uses);
        this.identity = identity;
        this.hash = identity.hashCode();
    }

    @Override
    public final Object identity() {
        return identity;
    }

    @Override
    public final int tableHash() {
        return hash;
    }
}
