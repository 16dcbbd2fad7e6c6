package winnow.selector.index;

import winnow.selector.compile.Predicate;
import winnow.selector.compile.StringDiffers;

/// A term that no value finds: it is tested, once, for every message that has its slot.
final class ScannedTerm extends UnkeyedTerm {

    ScannedTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, identity, uses);
    }

    @Override
    void write(TestWriter row) {
        if (predicate() instanceof StringDiffers differs) {
            row.differs(differs.slot(), differs.constant());
        } else {
            super.write(row);
        }
    }

    @Override
    int effort() {
        return 20;
    }

    @Override
    double cost() {
        return 100;
    }

    /// Half of it is the test, which every message with the slot pays.
    @Override
    double cost(double hitRate) {
        return 50 + 50 * hitRate;
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.SCAN;
    }

    @Override
    void link() {
        probe.addScanned(this);
    }

    @Override
    void unlink() {
        probe.removeScanned(this);
    }
}
