package winnow.selector.index.term;

import winnow.selector.slot.SlotValues;

/// What is left of a lookup of a value that takes long. It belongs to one match.
@FunctionalInterface
public interface Lookup {
    /// Looks up more, and leaves the rest ([TermVisitor#leave]) if the match is over.
    ///
    /// @param values of the message
    void goOn(SlotValues values, TermVisitor matching);
}
