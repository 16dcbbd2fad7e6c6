package winnow.selector.index.term;

import winnow.selector.index.lookup.SlotProbe;

/// A shared term that counts its uses itself: by formulas, keys and other terms.
abstract class CountedTerm extends SharedTerm {
    private int uses;

    CountedTerm(SlotProbe probe, int number) {
        super(probe, number);
    }

    @Override
    public final void acquire() {
        uses++;
    }

    @Override
    final boolean release() {
        uses--;
        return uses == 0;
    }

    @Override
    public final boolean isUsed() {
        return uses > 0;
    }
}
