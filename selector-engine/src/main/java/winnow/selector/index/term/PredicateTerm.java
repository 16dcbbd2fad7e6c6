package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.slot.SlotUses;
import winnow.selector.slot.SlotValues;

/// A term that is tested by a compiled predicate. Its result is remembered for the message if that
/// costs less than the predicate.
public abstract class PredicateTerm extends KnownTerm {

    private static final int NOT_ASKED = -1;

    private final Predicate predicate;

    /// Object that makes it equal to another, such as its atom.
    private final Object identity;

    /// Of the identity, which may be large.
    private final int hash;

    /// The slots and constants that the predicate uses: see [winnow.selector.slot.SlotUses].
    private final long[] uses;

    /// Among [AskedTerms]. Writer only.
    private int askedNumber = NOT_ASKED;

    PredicateTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number);
        this.predicate = predicate;
        this.identity = identity;
        this.hash = hash(identity, probe.seedOfIndex());
        this.uses = uses;
    }

    final Predicate predicate() {
        return predicate;
    }

    public final Object identity() {
        return identity;
    }

    @Override
    final boolean isKnownBy(Object other) {
        return identity.equals(other);
    }

    @Override
    public final int tableHash() {
        return hash;
    }

    final long[] uses() {
        return uses;
    }

    @Override
    public int newestSlot() {
        return SlotUses.newestSlot(uses);
    }

    @Override
    public final boolean testUnremembered(SlotValues values) {
        return predicate.test(values);
    }

    @Override
    public boolean test(SlotValues values, TermVisitor matching) {
        return matching.remembered(this, values);
    }

    @Override
    public void write(TestWriter row) {
        if (askedNumber == NOT_ASKED) {
            askedNumber = probe.asked().add(this);
        }
        row.asked(askedNumber);
    }

    @Override
    void dispose(Terms terms) {
        if (askedNumber != NOT_ASKED) {
            probe.asked().remove(askedNumber);
        }
        terms.dispose(this);
    }
}
