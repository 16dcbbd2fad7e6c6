package winnow.selector.index.term;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberInRange;
import winnow.selector.compile.NumberRange;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.structure.Scale;
import winnow.selector.slot.SlotValues;

/// T of a comparison of a name with a number, as a part of one selector: the number is in a range.
/// Ranges are what there is most of, and most differ, so they are not looked up in a table of all
/// terms. Those over the same slot with the same bounds are equal. If a selector is found by its
/// range, a [NumberTerm] with the same bounds is its key. Immutable.
public final class RangeTerm extends Term {

    /// A range of fewer cells is found by its bounds if it is much narrower than they are.
    private static final int WIDE = 3;

    /// To look at a node by its bounds costs some hundred times what it costs to pass it over in a
    /// cell.
    private static final double NARROW = 1.0 / 16;

    /// Cost to each message of a key that is an interval, as [#cost(double)] counts it: the search
    /// takes some 4 ns per interval. A row of a leaf or a block takes less, so few nodes gain by an
    /// interval of their own.
    private static final double COST_OF_SEARCH = 8;

    /// The bounds for doubles, see [NumberInRange].
    final double low;

    final double high;

    /// Null if the bounds are these for numbers of all types.
    final @Nullable NumberRange differing;

    /// The scale whose cells were looked up last, which takes 10 ns each, and is asked for each
    /// block and for each question about the range. Writer only.
    private @Nullable Scale scale;

    private byte firstCell;
    private byte lastCell;

    RangeTerm(SlotProbe probe, double low, double high, @Nullable NumberRange differing) {
        super(probe);
        this.low = low;
        this.high = high;
        this.differing = differing;
    }

    /// The numbers for which it is true. Not kept, but made, for nearly all terms.
    public NumberRange range() {
        return NumberInRange.range(low, high, differing);
    }

    /// The lowest number of all types, more than the highest if there is none.
    public double lowest() {
        if (differing != null) {
            return differing.low();
        }
        return low <= high ? low : Double.POSITIVE_INFINITY;
    }

    public double highest() {
        if (differing != null) {
            return differing.high();
        }
        return low <= high ? high : Double.NEGATIVE_INFINITY;
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
    public int mask(Buckets buckets) {
        if (lowest() > highest()) {
            return 0;
        }
        find(buckets.scale());
        return buckets.maskOfCells(firstCell, lastCell);
    }

    @Override
    public void write(TestWriter row) {
        NumberRange range = range();
        float from = range.lowFloat();
        float to = range.highFloat();
        if (Float.isNaN(from) || Float.isNaN(to)) {
            row.ask();
        } else {
            row.range(probe.slot(), from, to, range.holdsItsFloats());
        }
    }

    /// Finds the cells of its lowest and its highest number.
    @SuppressWarnings("ReferenceEquality") // A scale never changes.
    private void find(Scale newScale) {
        if (scale != newScale) {
            scale = newScale;
            firstCell = (byte) newScale.cellOf(lowest());
            lastCell = (byte) newScale.cellOf(highest());
        }
    }

    /// The place of the group of a scale's cells that all its numbers are in. Writer only.
    ///
    /// @param most how many groups of its size there are at most
    int group(Scale of, int most) {
        find(of);
        return Cells.holding(firstCell, lastCell, most);
    }

    /// True if a number term has the same bounds.
    private boolean isThatOf(SharedTerm key) {
        return key instanceof NumberTerm number && number.hasBoundsOf(this);
    }

    /// A group of cells may lead to all its numbers, too.
    @Override
    boolean isFoundBy(SharedTerm key) {
        return isThatOf(key)
                || (key instanceof CellTerm cell && cell.probe == probe && isWithin(cell));
    }

    private boolean isWithin(CellTerm group) {
        find(group.cells().scale());
        return group.holds(firstCell) && group.holds(lastCell);
    }

    @Override
    public boolean isImpliedBy(SharedTerm key) {
        return isThatOf(key);
    }

    @Override
    public boolean isAmong(Set<SharedTerm> keys) {
        for (SharedTerm key : keys) {
            if (isThatOf(key)) {
                return true;
            }
        }
        return false;
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
        return Double.isInfinite(lowest()) || Double.isInfinite(highest()) ? 40 : 8;
    }

    @Override
    public double cost(double hitRate) {
        return super.cost(hitRate) + (range().hasPoints() ? 0 : COST_OF_SEARCH);
    }

    /// True if it holds so much of its slot's numbers that others are likely to be found by the
    /// same cells. As long as too few ranges are known to tell, those are that few selectors ask
    /// for. Not one whose bounds many ranges have, if the ranges of the slot have few different
    /// bounds: many selectors ask for the same one then.
    boolean isWide() {
        if (range().hasPoints() || !(lowest() <= highest())) {
            return false;
        }
        Scale latest = probe.ends().scale();
        if (latest.cells() == 1) {
            return !probe.ends().areCommon(lowest(), highest());
        }
        if (latest.hasFewBounds() && latest.isBound(lowest()) && latest.isBound(highest())) {
            return false;
        }
        find(latest);
        return lastCell - firstCell + 1 >= WIDE
                || (highest() - lowest()) / latest.width(firstCell, lastCell) >= NARROW;
    }

    @Override
    public double likelyCost(long sampledMessages) {
        Scale latest = probe.ends().scale();
        if (range().hasPoints() || latest.cells() == 1 || lowest() > highest()) {
            return cost();
        }
        find(latest);
        return likelyCost((double) (lastCell - firstCell + 1) / latest.cells());
    }

    /// Cost of the range, which is never taken to be rarer than is usual: the messages need not be
    /// where the ranges end.
    ///
    /// @param share of the cells
    private double likelyCost(double share) {
        return Math.max(cost(), super.cost(share)) + share;
    }

    @Override
    public KeyKind kind() {
        return range().hasPoints() ? KeyKind.EQUALITY : KeyKind.RANGE;
    }

    @Override
    public void acquire() {
        probe.acquire();
        probe.ends().note(lowest(), highest());
    }

    /// Each use is the only one of a range.
    @Override
    boolean release() {
        return true;
    }

    @Override
    public boolean isUsed() {
        return probe.isUsed();
    }

    @Override
    void dispose(Terms terms) {
        terms.dispose(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RangeTerm that
                && probe == that.probe
                && Double.compare(low, that.low) == 0
                && Double.compare(high, that.high) == 0
                && Objects.equals(differing, that.differing);
    }

    @Override
    public int hashCode() {
        return hash(probe, low, high, differing);
    }

    static int hash(SlotProbe probe, double low, double high, @Nullable NumberRange differing) {
        long lowest = Double.doubleToRawLongBits(low);
        long highest = Double.doubleToRawLongBits(high);
        if (differing == null) {
            return probe.hash(lowest, highest);
        }
        return probe.hash(
                lowest,
                highest,
                differing.exactLow(),
                differing.exactHigh(),
                Double.doubleToRawLongBits(differing.floatLow()),
                Double.doubleToRawLongBits(differing.floatHigh()));
    }
}
