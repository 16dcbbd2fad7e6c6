package winnow.selector.index.term;

import winnow.selector.index.structure.Stamps;
import winnow.selector.slot.SlotValues;

/// Visits the terms that a message leads to, for a match, and keeps what that knows while they are
/// tested. There is one kind, [winnow.selector.index.match.Matching]; this is a class and not an
/// interface, so that a call costs no more than a direct one. Owned by one event loop.
public abstract class TermVisitor {

    private Stamps reportedLiterals = new Stamps();

    /// Notes a term that is true: all nodes that hang on it are to be looked at.
    public final void hit(SharedTerm term) {
        Object nodes = term.cluster();
        if (nodes != null) {
            hitNodes(nodes);
        }
    }

    /// Notes the nodes of a term that is true: content of a [winnow.selector.index.node.Cluster].
    public abstract void hitNodes(Object nodes);

    /// Tests a term, and hits it if it is true.
    public abstract void candidate(SharedTerm term);

    /// Tests each term of the content of [winnow.selector.index.structure.Members], and hits those
    /// that are true.
    public abstract void candidates(Object terms);

    /// The result of a term that costs something, found at most once per message.
    public abstract boolean remembered(PredicateTerm term, SlotValues values);

    /// So many slots were looked up.
    public abstract void lookedUp(int slots);

    /// True if the rest of the match has to be left for later.
    public abstract boolean isOver();

    /// Scratch space for what a [winnow.selector.index.term.LiteralAutomaton] reports.
    public final Stamps reportedLiterals() {
        return reportedLiterals;
    }

    /// Keeps the rest of a lookup for later: the match is over.
    ///
    /// @param kept what was reported; no other lookup uses it
    public final void leave(Lookup rest, Stamps kept) {
        if (kept == reportedLiterals) {
            reportedLiterals = new Stamps();
        }
        leave(rest);
    }

    /// Keeps the rest of a lookup for later.
    protected abstract void leave(Lookup rest);

    /// True if the index does not fit into the processor's cache, so that reading ahead pays.
    public abstract boolean isIndexLarge();

    /// @param read depends on what was read only to have it in the cache
    public abstract void readAhead(int read);
}
