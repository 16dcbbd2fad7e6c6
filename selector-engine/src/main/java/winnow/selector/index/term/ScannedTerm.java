package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.compile.StringDiffers;
import winnow.selector.index.Plan;
import winnow.selector.index.lookup.SlotProbe;

/// A term that no value finds: it is tested, once, for every message that has its slot.
public final class ScannedTerm extends UnkeyedTerm {

    ScannedTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, identity, uses);
    }

    @Override
    public void write(TestWriter row) {
        if (predicate() instanceof StringDiffers differs) {
            row.differs(differs.slot(), differs.constant());
        } else {
            super.write(row);
        }
    }

    @Override
    public int effort() {
        return predicate() instanceof StringDiffers ? 5 : 20;
    }

    @Override
    public double cost() {
        return 100;
    }

    /// Half of it is the test, which every message with the slot pays.
    @Override
    public double cost(double hitRate) {
        return 50 + 50 * hitRate;
    }

    @Override
    public Plan.Kind kind() {
        return Plan.Kind.SCAN;
    }

    @Override
    public void link() {
        probe.addScanned(this);
    }

    @Override
    public void unlink() {
        probe.removeScanned(this);
    }
}
