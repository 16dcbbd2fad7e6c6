package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;
import winnow.selector.slot.SlotValues;

/// `T(x = 'constant')`: found by the constant's number, without a test. Its slot's probe has the
/// nodes, too, so that a message comes to them without a look at the term.
public final class ConstantTerm extends SharedTerm {

    ConstantTerm(SlotProbe probe, int constant) {
        super(probe, constant);
    }

    /// The number of the constant among those of the slot.
    public int constant() {
        return number();
    }

    @Override
    public void cluster(@Nullable Object content) {
        super.cluster(content);
        probe.cluster(constant(), content);
    }

    /// Differs from the hash of any other term with the same number.
    @Override
    public int hashCode() {
        return probe.hash(2L * constant() + 1);
    }

    @Override
    public boolean test(SlotValues values, TermVisitor matching) {
        return testUnremembered(values);
    }

    @Override
    public boolean testUnremembered(SlotValues values) {
        return values.constant(probe.slot()) == constant();
    }

    @Override
    public int mask(Buckets buckets) {
        return buckets.maskOfConstant(constant());
    }

    @Override
    public boolean isToldBy(Buckets buckets) {
        return buckets.isAlone(constant());
    }

    @Override
    public void write(TestWriter row) {
        row.equal(probe.slot(), constant());
    }

    @Override
    public int effort() {
        return 1;
    }

    /// The more constants are compared with this slot, the rarer each is taken to be.
    @Override
    public double cost() {
        return 1 + 20.0 / probe.constantCount();
    }

    @Override
    public double likelyCost(long sampledMessages) {
        double hitRate = probe.tally().likelyHitRate(probe.constantCount(), sampledMessages);
        return hitRate < 0 ? cost() : cost(hitRate);
    }

    @Override
    public KeyKind kind() {
        return KeyKind.EQUALITY;
    }

    /// Its probe has it from the start, because this is also how equal terms are found.
    @Override
    void enter() {}

    @Override
    void leave() {}

    @Override
    void dispose(Terms terms) {
        terms.dispose(this);
    }
}
