package winnow.selector.index;

import winnow.selector.compile.Predicate;

/// `T(x IS NULL)`: no value leads to it, so every message is asked; there is one per name.
final class MissingTerm extends UnkeyedTerm {

    MissingTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, identity, uses);
    }

    @Override
    int mask(Buckets buckets) {
        return Buckets.MISSING;
    }

    @Override
    boolean isToldBy(Buckets buckets) {
        return true;
    }

    @Override
    void write(TestWriter row) {
        row.missing(probe.slot());
    }

    @Override
    int effort() {
        return 2;
    }

    @Override
    double cost() {
        return 50;
    }

    /// Every message looks at it, which takes little.
    @Override
    double cost(double hitRate) {
        return 10 + 90 * hitRate;
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.MISSING;
    }

    @Override
    void link() {
        probe.addMissing(this);
    }

    @Override
    void unlink() {
        probe.removeMissing(this);
    }
}
