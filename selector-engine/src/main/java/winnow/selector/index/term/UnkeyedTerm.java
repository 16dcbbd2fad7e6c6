package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.slot.SlotValues;

/// A term that no value leads to. So a message may be older than some slot that the term looks at;
/// for such a message the term is not true.
public abstract class UnkeyedTerm extends PredicateTerm {

    private final int newestSlot;

    UnkeyedTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, identity, uses);
        this.newestSlot = super.newestSlot();
    }

    @Override
    public final boolean test(SlotValues values, TermVisitor matching) {
        return values.holds(newestSlot) && super.test(values, matching);
    }
}
