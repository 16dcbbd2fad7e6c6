package winnow.selector.index.term;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberInRange;
import winnow.selector.compile.NumberRange;
import winnow.selector.index.Plan;
import winnow.selector.index.lookup.Intervals;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.structure.Scale;
import winnow.selector.slot.SlotValues;

/// T of a comparison of a name with a number. An equality is found by the number, any other by the
/// interval that holds the number of the message.
///
/// It holds its range itself, and uses its slot once and nothing else. So it takes 48 bytes: ranges
/// are what there is most of.
public final class NumberTerm extends KnownTerm implements Intervals.Interval {

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

    /// The bounds for doubles, see [NumberInRange].
    private final double low;

    private final double high;

    /// Null if the bounds are these for numbers of all types.
    private final @Nullable NumberRange differing;

    NumberTerm(SlotProbe probe, int number, NumberInRange range) {
        super(probe, number);
        this.low = range.low();
        this.high = range.high();
        this.differing = range.differing();
    }

    @Override
    boolean isKnownBy(Object identity) {
        return identity instanceof NumberInRange range
                && range.has(probe.slot(), low, high, differing);
    }

    @Override
    public int tableHash() {
        return NumberInRange.hash(probe.slot(), low, high);
    }

    /// The numbers for which it is true. Not kept, but made, for nearly all terms.
    public NumberRange range() {
        return NumberInRange.range(low, high, differing);
    }

    @Override
    public double low() {
        return range().low();
    }

    @Override
    public double high() {
        return range().high();
    }

    /// See [NumberRange#lowFloat].
    public float lowFloat() {
        return range().lowFloat();
    }

    /// See [NumberRange#highFloat].
    public float highFloat() {
        return range().highFloat();
    }

    @Override
    public boolean test(SlotValues values, TermVisitor matching) {
        return testUnremembered(values);
    }

    @Override
    public boolean testUnremembered(SlotValues values) {
        return NumberInRange.test(values, probe.slot(), low, high, differing);
    }

    @Override
    int mask(Buckets buckets) {
        return buckets.maskOfRange(low(), high());
    }

    @Override
    public void write(TestWriter row) {
        NumberRange range = range();
        float lowest = range.lowFloat();
        float highest = range.highFloat();
        if (Float.isNaN(lowest) || Float.isNaN(highest)) {
            row.ask();
        } else {
            row.range(probe.slot(), lowest, highest, range.holdsItsFloats());
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
        return Double.isInfinite(low()) || Double.isInfinite(high()) ? 40 : 8;
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
        terms.dispose(this);
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
