package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberInRange;
import winnow.selector.compile.NumberRange;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;
import winnow.selector.slot.SlotValues;

/// A range of numbers that selectors are found by: one number by a hash table, more by the interval
/// that holds the number of the message. Selectors ask for it by a [RangeTerm].
///
/// It holds its bounds itself, so it takes 48 bytes.
public final class NumberTerm extends KnownTerm implements Intervals.Interval {

    private final double low;
    private final double high;
    private final @Nullable NumberRange differing;

    NumberTerm(SlotProbe probe, int number, RangeTerm range) {
        super(probe, number);
        this.low = range.low;
        this.high = range.high;
        this.differing = range.differing;
    }

    /// Term that selectors ask that have it as their key.
    public RangeTerm range() {
        return new RangeTerm(probe, low, high, differing);
    }

    boolean hasBoundsOf(RangeTerm range) {
        return range().equals(range);
    }

    @Override
    boolean isKnownBy(Object identity) {
        return identity instanceof RangeTerm range && hasBoundsOf(range);
    }

    @Override
    public int tableHash() {
        return RangeTerm.hash(probe, low, high, differing);
    }

    @Override
    public double low() {
        return range().lowest();
    }

    @Override
    public double high() {
        return range().highest();
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
        return range().mask(buckets);
    }

    @Override
    public void write(TestWriter row) {
        range().write(row);
    }

    @Override
    boolean isFoundBy(SharedTerm key) {
        return range().isFoundBy(key);
    }

    @Override
    public int effort() {
        return range().effort();
    }

    @Override
    public double cost() {
        return range().cost();
    }

    @Override
    public double cost(double hitRate) {
        return range().cost(hitRate);
    }

    @Override
    public double likelyCost(long sampledMessages) {
        return range().likelyCost(sampledMessages);
    }

    @Override
    public Term observed() {
        return range();
    }

    @Override
    void dispose(Terms terms) {
        terms.dispose(this);
    }

    @Override
    public KeyKind kind() {
        return range().kind();
    }

    @Override
    void enter() {
        NumberRange range = range().range();
        double[] points = range.points();
        for (double point : points) {
            probe.addPoint(point, range.isOfFloatsOnly(point), this);
        }
        if (points.length == 0) {
            probe.intervals().add(this);
        }
    }

    @Override
    void leave() {
        NumberRange range = range().range();
        double[] points = range.points();
        for (double point : points) {
            probe.removePoint(point, range.isOfFloatsOnly(point), this);
        }
        if (points.length == 0) {
            probe.intervals().remove(this);
        }
    }
}
