package winnow.selector.index.match;

import winnow.selector.index.structure.PagedInts;
import winnow.selector.index.term.PredicateTerm;
import winnow.selector.slot.SlotValues;

/// The results of terms for a message, each found at most once per message. Owned by one event
/// loop.
final class TermResults {
    /// By term: the epoch of the message * 2, plus 1 if the term is true. Few have any, because
    /// most terms are tested otherwise.
    private final PagedInts results = new PagedInts();

    /// True if the test of the current formula has gone through a string, and the result is known.
    private boolean progressed;

    /// True if the test of the current formula was broken off, so that its result says nothing.
    private boolean brokenOff;

    /// @param terms numbers of terms are below this
    void ensure(int terms) {
        results.ensure(terms);
    }

    boolean isKnown(PredicateTerm term, int epoch) {
        return results.get(term.number()) >> 1 == epoch;
    }

    boolean of(PredicateTerm term, SlotValues values, int epoch) {
        int number = term.number();
        int result = results.get(number);
        if (result >> 1 != epoch) {
            result = epoch << 1 | (term.testUnremembered(values) ? 1 : 0);
            // One that was added after the message began is not remembered.
            if (results.has(number)) {
                results.set(number, result);
            }
        }
        return (result & 1) != 0;
    }

    /// The test of a formula begins.
    void beginFormula() {
        progressed = false;
        brokenOff = false;
    }

    /// True if the formula has to be tested again later: the match is over. It gets further then,
    /// because what it went through is known.
    boolean isFormulaBrokenOff() {
        return brokenOff;
    }

    /// The result of a term of the current formula, or anything if the test is broken off.
    boolean inFormula(PredicateTerm term, SlotValues values, int epoch, Matching matching) {
        if (isKnown(term, epoch)) {
            return of(term, values, epoch);
        }
        brokenOff |= progressed && matching.isOver();
        if (brokenOff) {
            return false;
        }
        long before = values.scratch().scannedBytes;
        boolean result = of(term, values, epoch);
        progressed |= values.scratch().scannedBytes != before && isKnown(term, epoch);
        return result;
    }

    /// Forgets all epochs, which begin again.
    void clear() {
        results.clear();
    }
}
