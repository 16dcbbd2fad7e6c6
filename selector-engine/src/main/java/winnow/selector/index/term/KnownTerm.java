package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.LinkedTable;

/// A term that [Terms] finds by what it asks, so that there is no equal one.
abstract class KnownTerm extends SharedTerm implements LinkedTable.Linked<KnownTerm> {

    /// The next one of a chain of [Terms]. Writer only.
    private @Nullable KnownTerm next;

    KnownTerm(SlotProbe probe, int number) {
        super(probe, number);
    }

    /// Whether this is what it asks. If so, the [#tableHash] is the hash of this.
    abstract boolean isKnownBy(Object identity);

    @Override
    public final @Nullable KnownTerm next() {
        return next;
    }

    @Override
    public final void next(@Nullable KnownTerm newNext) {
        next = newNext;
    }
}
