package winnow.selector.index.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.PredicateTerm;
import winnow.selector.slot.SlotValues;

/// The results of terms for a message, each found at most once per message. Owned by one event
/// loop.
final class TermResults {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;

    /// By term: the epoch of the message * 2, plus 1 if the term is true. In pages that exist once
    /// they are needed: most terms are tested otherwise, and one array for three million of them
    /// takes 12 MB, which takes 2 ms to make.
    private int[] @Nullable [] pages = {};

    /// Numbers of terms are below this.
    private int limit;

    /// Whether the test of the current formula has gone through a string, and the result is known.
    private boolean progressed;

    /// Whether the test of the current formula was broken off, so that its result says nothing.
    private boolean brokenOff;

    /// @param terms numbers of terms are below this
    void ensure(int terms) {
        if (limit < terms) {
            int pageCount = (terms + PAGE - 1) >>> PAGE_BITS;
            if (pages.length < pageCount) {
                pages = Arrays.copyOf(pages, Math.max(pageCount, 2 * pages.length));
            }
            limit = terms;
        }
    }

    boolean isKnown(PredicateTerm term, int epoch) {
        return known(term.number()) >> 1 == epoch;
    }

    private int known(int number) {
        int[] page = number < limit ? pages[number >>> PAGE_BITS] : null;
        return page == null ? 0 : page[number & PAGE - 1];
    }

    boolean of(PredicateTerm term, SlotValues values, int epoch) {
        int number = term.number();
        int result = known(number);
        if (result >> 1 != epoch) {
            result = epoch << 1 | (term.testUnremembered(values) ? 1 : 0);
            // One that was added after the message began is not remembered.
            if (number < limit) {
                page(number)[number & PAGE - 1] = result;
            }
        }
        return (result & 1) != 0;
    }

    private int[] page(int number) {
        int[] page = pages[number >>> PAGE_BITS];
        if (page == null) {
            page = new int[PAGE];
            pages[number >>> PAGE_BITS] = page;
        }
        return page;
    }

    /// The test of a formula begins.
    void beginFormula() {
        progressed = false;
        brokenOff = false;
    }

    /// Whether the formula has to be tested again later: the match is over. It gets further then,
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
        for (int[] page : pages) {
            if (page != null) {
                Arrays.fill(page, 0);
            }
        }
    }
}
