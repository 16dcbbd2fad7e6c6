package winnow.selector.index.term;

import java.util.List;
import winnow.selector.compile.NumberRange;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.PresentUnless;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;

/// A term that is true exactly if one of some others is, and these are found faster. `T(x IN ('a',
/// 'b'))` is `T(x = 'a') | T(x = 'b')`; `F(x > 2)` is `T(x <= 2)` or that x is not a number.
public final class UnionTerm extends PredicateTerm {

    /// A long list takes time when the index looks at it, though its test does not.
    private static final int MEMBERS_PER_EFFORT = 8;

    private static final int MAX_EFFORT = 256;

    private final List<SharedTerm> alternatives;

    UnionTerm(
            SlotProbe probe,
            int number,
            Predicate predicate,
            Object identity,
            long[] uses,
            List<SharedTerm> alternatives) {
        super(probe, number, predicate, identity, uses);
        this.alternatives = alternatives;
    }

    @Override
    public List<SharedTerm> keys() {
        return alternatives;
    }

    @Override
    public int mask(Buckets buckets) {
        int mask = 0;
        for (SharedTerm alternative : alternatives) {
            mask |= alternative.mask(buckets);
        }
        return mask;
    }

    @Override
    public boolean isToldBy(Buckets buckets) {
        for (SharedTerm alternative : alternatives) {
            if (!alternative.isToldBy(buckets)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void write(TestWriter row) {
        NumberRange refused = predicate() instanceof PresentUnless unless ? unless.range() : null;
        if (refused == null) {
            writeConstants(row);
            return;
        }
        float low = refused.lowFloat();
        float high = refused.highFloat();
        if (Float.isNaN(low) || Float.isNaN(high)) {
            super.write(row);
        } else {
            row.notInRange(probe.slot(), low, high, refused.holdsItsFloats());
        }
    }

    private void writeConstants(TestWriter row) {
        int[] constants = new int[Math.min(alternatives.size(), TestWriter.MAX_CONSTANTS + 1)];
        for (int i = 0; i < constants.length; i++) {
            if (i == TestWriter.MAX_CONSTANTS
                    || !(alternatives.get(i) instanceof ConstantTerm constant)) {
                super.write(row);
                return;
            }
            constants[i] = constant.constant();
        }
        row.oneOf(probe.slot(), constants);
    }

    @Override
    boolean mayHaveKey(SharedTerm key) {
        for (SharedTerm alternative : alternatives) {
            if (alternative.mayHaveKey(key)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int effort() {
        return 4 + Math.min(alternatives.size() / MEMBERS_PER_EFFORT, MAX_EFFORT);
    }

    @Override
    public double cost() {
        double cost = 0;
        for (SharedTerm alternative : alternatives) {
            cost += alternative.cost();
        }
        return cost;
    }

    @Override
    public double cost(double hitRate) {
        return cost(alternatives, hitRate);
    }

    @Override
    public KeyKind kind() {
        return KeyKind.SCAN;
    }

    @Override
    void enter() {
        throw new IllegalStateException("its alternatives are the keys");
    }

    @Override
    void leave() {
        throw new IllegalStateException("its alternatives are the keys");
    }

    @Override
    void dispose(Terms terms) {
        super.dispose(terms);
        terms.releaseLater(alternatives);
    }
}
