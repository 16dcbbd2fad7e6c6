package winnow.selector.index.term;

import java.util.Set;
import winnow.selector.compile.NumberInRange;
import winnow.selector.index.Plan;
import winnow.selector.index.lookup.Intervals;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.structure.Scale;
import winnow.selector.slot.SlotValues;

/// T of a comparison of a name with a number. An equality is found by the number, any other by the
/// interval that holds the number of the message.
public final class NumberTerm extends PredicateTerm implements Intervals.Interval {

    /// A range of fewer cells is found by its bounds if it is much narrower than they are.
    private static final int WIDE = 3;

    /// To look at a node by its bounds costs some hundred times what it costs to pass it over in a
    /// cell.
    private static final double NARROW = 1.0 / 16;

    private static final int FEW_USES = 4;

    /// What a key that is an interval costs each message, as [#cost(double)] counts it: the search
    /// takes some 4 ns per interval. A row of a leaf or a block takes less, so few nodes gain by an
    /// interval of their own.
    private static final double COST_OF_SEARCH = 8;

    NumberTerm(SlotProbe probe, int number, NumberInRange range, long[] uses) {
        super(probe, number, range, uses);
    }

    @Override
    public Object identity() {
        return predicate();
    }

    @Override
    public int tableHash() {
        return predicate().hashCode();
    }

    private NumberInRange range() {
        return (NumberInRange) predicate();
    }

    @Override
    public double low() {
        return range().low();
    }

    @Override
    public double high() {
        return range().high();
    }

    /// See [NumberInRange#lowFloat].
    public float lowFloat() {
        return range().lowFloat();
    }

    /// See [NumberInRange#highFloat].
    public float highFloat() {
        return range().highFloat();
    }

    @Override
    public boolean test(SlotValues values, TermVisitor matching) {
        return range().test(values);
    }

    @Override
    int mask(Buckets buckets) {
        return buckets.maskOfRange(low(), high());
    }

    @Override
    public void write(TestWriter row) {
        float low = range().lowFloat();
        float high = range().highFloat();
        if (Float.isNaN(low) || Float.isNaN(high)) {
            row.ask();
        } else {
            row.range(probe.slot(), low, high, range().holdsItsFloats());
        }
    }

    @Override
    boolean mayHaveKey(Term key) {
        return equals(key) || (key instanceof CellTerm && key.probe == probe);
    }

    @Override
    public int effort() {
        return 3;
    }

    @Override
    public double cost() {
        if (range().hasPoints()) {
            return 2;
        }
        return Double.isInfinite(range().low()) || Double.isInfinite(range().high()) ? 40 : 8;
    }

    @Override
    public double cost(double hitRate) {
        return super.cost(hitRate) + (range().hasPoints() ? 0 : COST_OF_SEARCH);
    }

    /// Whether it holds so much of its slot's numbers that others are likely to be found by the
    /// same cells. As long as too few ranges are known to tell, those are that few selectors ask
    /// for: what many ask for leads to many.
    boolean isWide() {
        if (range().hasPoints() || !(low() <= high())) {
            return false;
        }
        Scale scale = probe.ends().scale();
        return cells() >= WIDE
                || (scale.cells() == 1 && references() <= FEW_USES)
                || (high() - low()) / scale.width(scale.cellOf(low()), scale.cellOf(high()))
                        >= NARROW;
    }

    /// Whether groups of cells among the keys lead to all its numbers.
    public boolean isFoundByCells(Set<Term> keys) {
        for (Term key : keys) {
            if (key instanceof CellTerm cell
                    && cell.probe == probe
                    && cell.cells().areAmong(keys, low(), high())) {
                return true;
            }
        }
        return false;
    }

    private int cells() {
        Scale scale = probe.ends().scale();
        return scale.cellOf(high()) - scale.cellOf(low()) + 1;
    }

    @Override
    public double likelyCost(long sampledMessages) {
        Scale scale = probe.ends().scale();
        return range().hasPoints() || scale.cells() == 1 || low() > high()
                ? cost()
                : likelyCost((double) cells() / scale.cells());
    }

    /// Where the ranges end need not be where the messages are: a range is never taken to be rarer
    /// than is usual.
    ///
    /// @param share of the cells
    private double likelyCost(double share) {
        return Math.max(cost(), super.cost(share)) + share;
    }

    @Override
    void dispose(Terms terms) {
        probe.ends().leave();
        super.dispose(terms);
    }

    @Override
    public Plan.Kind kind() {
        return range().hasPoints() ? Plan.Kind.EQUALITY : Plan.Kind.RANGE;
    }

    @Override
    public void link() {
        double[] points = range().points();
        for (double point : points) {
            probe.points().add(SlotProbe.key(point), this);
        }
        if (points.length == 0) {
            probe.intervals().add(this);
        }
    }

    @Override
    public void unlink() {
        double[] points = range().points();
        for (double point : points) {
            probe.points().remove(SlotProbe.key(point), this);
        }
        if (points.length == 0) {
            probe.intervals().remove(this);
        }
    }
}
