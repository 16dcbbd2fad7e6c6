package winnow.selector.index;

import winnow.selector.slot.SlotValues;

/// What a match does with the terms that a message leads to, and what it knows while they are
/// tested. There is one kind, [Matching]; this is a class and not an interface, so that a call
/// costs no more than a direct one. Owned by one event loop.
abstract class TermVisitor {

    /// Looks at all nodes that hang on a term, which is true.
    abstract void hit(Term term);

    /// Tests a term, and hits it if it is true.
    abstract void candidate(Term term);

    /// Tests each term of the content of [Members], and hits those that are true.
    abstract void candidates(Object terms);

    /// The result of a term that costs something, found at most once per message.
    abstract boolean remembered(PredicateTerm term, SlotValues values);

    /// Scratch space of one [LiteralAutomaton#probe].
    abstract Stamps reportedLiterals();

    /// Whether the index does not fit into the processor's cache, so that reading ahead pays.
    abstract boolean isIndexLarge();

    /// @param read depends on what was read only to have it in the cache
    abstract void readAhead(int read);
}
