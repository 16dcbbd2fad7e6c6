package winnow.selector.index.match;

import java.util.Arrays;
import winnow.selector.index.term.PredicateTerm;
import winnow.selector.slot.SlotValues;

/// The results of terms for a message, each found at most once per message. Owned by one event
/// loop.
final class TermResults {
    /// By term: the epoch of the message * 2, plus 1 if the term is true.
    private int[] known = {};

    /// @param terms numbers of terms are below this
    void ensure(int terms) {
        if (known.length < terms) {
            known = Arrays.copyOf(known, Math.max(terms, 2 * known.length));
        }
    }

    boolean isKnown(PredicateTerm term, int epoch) {
        int number = term.number();
        return number < known.length && known[number] >> 1 == epoch;
    }

    boolean of(PredicateTerm term, SlotValues values, int epoch) {
        int number = term.number();
        if (number >= known.length) {
            // Added after the message began.
            return term.testUnremembered(values);
        }
        int result = known[number];
        if (result >> 1 != epoch) {
            result = epoch << 1 | (term.testUnremembered(values) ? 1 : 0);
            known[number] = result;
        }
        return (result & 1) != 0;
    }

    /// Forgets all epochs, which begin again.
    void clear() {
        Arrays.fill(known, 0);
    }
}
