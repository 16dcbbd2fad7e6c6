package winnow.selector.index;

import winnow.selector.slot.SlotValues;

/// `T(x = 'constant')`: found by the constant's number, without a test.
final class ConstantTerm extends Term {

    private final int constant;

    ConstantTerm(SlotProbe probe, int number, int constant) {
        super(probe, number);
        this.constant = constant;
    }

    int constant() {
        return constant;
    }

    @Override
    boolean test(SlotValues values, TermVisitor matching) {
        return testUnremembered(values);
    }

    @Override
    boolean testUnremembered(SlotValues values) {
        return values.constant(probe.slot()) == constant;
    }

    @Override
    int mask(Buckets buckets) {
        return buckets.maskOfConstant(constant);
    }

    @Override
    boolean isToldBy(Buckets buckets) {
        return buckets.isAlone(constant);
    }

    @Override
    void write(TestWriter row) {
        row.equal(probe.slot(), constant);
    }

    @Override
    int effort() {
        return 1;
    }

    /// The more constants are compared with this slot, the rarer each is taken to be.
    @Override
    double cost() {
        return 1 + 20.0 / probe.constantCount();
    }

    @Override
    double likelyCost(long sampledMessages) {
        double hitRate = probe.tally().likelyHitRate(probe.constantCount(), sampledMessages);
        return hitRate < 0 ? cost() : cost(hitRate);
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.EQUALITY;
    }

    /// It is found from the start, because this is also how equal terms are.
    @Override
    void link() {}

    @Override
    void unlink() {}

    @Override
    void dispose(Terms terms) {
        terms.dispose(this);
    }
}
