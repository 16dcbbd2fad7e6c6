package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.In;
import winnow.selector.expression.Like;
import winnow.selector.index.structure.LinkedTable;
import winnow.selector.slot.KeyedHash;

/// A term that [Terms] finds by what it asks, so that there is no equal one.
abstract class KnownTerm extends SharedTerm implements LinkedTable.Linked<KnownTerm> {

    /// The next one of a chain of [Terms]. Writer only.
    private @Nullable KnownTerm next;

    KnownTerm(SlotProbe probe, int number) {
        super(probe, number);
    }

    /// True if this is what it asks. If so, the [#tableHash] is the [#hash] of this.
    abstract boolean isKnownBy(Object identity);

    /// The hash of what a term asks.
    ///
    /// @param seed of the index
    static int hash(Object identity, long seed) {
        return switch (identity) {
            case RangeTerm range -> range.hashCode();
            // Most are of these two, and hashing their texts is faster than printing them.
            case Like like ->
                    hash(KeyedHash.of(seed, like.identifier().name()), like.pattern().text());
            case In in -> {
                long hash = KeyedHash.of(seed, in.identifier().name());
                for (String value : in.values()) {
                    hash = KeyedHash.of(hash, value);
                }
                yield (int) hash;
            }
            case Condition condition -> hash(seed, ExpressionPrinter.print(condition));
            default -> hash(seed, identity.toString());
        };
    }

    private static int hash(long seed, String text) {
        return (int) KeyedHash.of(seed, text);
    }

    @Override
    public final @Nullable KnownTerm next() {
        return next;
    }

    @Override
    public final void next(@Nullable KnownTerm newNext) {
        next = newNext;
    }
}
