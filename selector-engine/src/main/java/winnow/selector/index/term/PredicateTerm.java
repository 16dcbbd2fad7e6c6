package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.compile.Predicate;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.LinkedTable;
import winnow.selector.slot.SlotUses;
import winnow.selector.slot.SlotValues;

/// A term that is tested by a compiled predicate. Its result is remembered for the message if that
/// costs less than the predicate.
public abstract class PredicateTerm extends Term implements LinkedTable.Linked<PredicateTerm> {

    private final Predicate predicate;

    private static final int NOT_ASKED = -1;

    /// Among [AskedTerms]. Writer only.
    private int askedNumber = NOT_ASKED;

    /// The slots and constants that the predicate uses: see [winnow.selector.slot.SlotUses].
    private final long[] uses;

    /// The next one of a chain of [Terms]. Writer only.
    private @Nullable PredicateTerm next;

    PredicateTerm(SlotProbe probe, int number, Predicate predicate, long[] uses) {
        super(probe, number);
        this.predicate = predicate;
        this.uses = uses;
    }

    final Predicate predicate() {
        return predicate;
    }

    /// What makes it equal to another: see [Terms].
    public abstract Object identity();

    @Override
    public final @Nullable PredicateTerm next() {
        return next;
    }

    @Override
    public final void next(@Nullable PredicateTerm newNext) {
        next = newNext;
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
