package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;

/// `T(x IS NULL)`: no value leads to it, so every message is asked; there is one per name.
public final class MissingTerm extends UnkeyedTerm {

    MissingTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, identity, uses);
    }

    @Override
    public int mask(Buckets buckets) {
        return Buckets.MISSING;
    }

    @Override
    public boolean isToldBy(Buckets buckets) {
        return true;
    }

    @Override
    public void write(TestWriter row) {
        row.missing(probe.slot());
    }

    @Override
    public int effort() {
        return 2;
    }

    @Override
    public double cost() {
        return 50;
    }

    /// Every message looks at it, which takes little.
    @Override
    public double cost(double hitRate) {
        return 10 + 90 * hitRate;
    }

    @Override
    public KeyKind kind() {
        return KeyKind.MISSING;
    }

    @Override
    void enter() {
        probe.addMissing(this);
    }

    @Override
    void leave() {
        probe.removeMissing(this);
    }
}
