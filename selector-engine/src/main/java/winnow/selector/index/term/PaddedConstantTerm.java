package winnow.selector.index.term;

import winnow.selector.index.lookup.SlotProbe;

/// The term of one of the first constants of a slot. Its count of uses is not on a cache line with
/// what lies behind it in memory.
///
/// Each selector that comes or goes changes the counts of its terms. Where a slot has few
/// constants, these are changed all the time; if what messages read is on the same lines, each
/// change waits for the threads that match. Without padding, selectors of 6 equalities of 4 values
/// come and go 6 % more slowly beside one such thread.
final class PaddedConstantTerm extends ConstantTerm {

    /// 64 bytes that nobody reads.
    @SuppressWarnings("unused")
    private long p1, p2, p3, p4, p5, p6, p7, p8;

    PaddedConstantTerm(SlotProbe probe, int constant) {
        super(probe, constant);
    }
}
