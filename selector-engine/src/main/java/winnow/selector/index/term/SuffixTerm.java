package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.expression.SuffixRange;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;

/// T of a range over the number at the end of a string, such as the correlation-ID filter
/// `[#7;#13]`: found by what is before the number, then by the number.
public final class SuffixTerm extends PredicateTerm implements Intervals.Interval {

    private final SuffixRange range;

    SuffixTerm(SlotProbe probe, int number, Predicate predicate, SuffixRange range, long[] uses) {
        super(probe, number, predicate, range, uses);
        this.range = range;
    }

    public String prefix() {
        return range.prefix();
    }

    @Override
    public double low() {
        return (double) range.low();
    }

    @Override
    public double high() {
        return range.high() == SuffixRange.UNBOUNDED
                ? Double.POSITIVE_INFINITY
                : (double) range.high();
    }

    @Override
    public int mask(Buckets buckets) {
        return buckets.maskOfStrings();
    }

    @Override
    public int effort() {
        return 8;
    }

    @Override
    public double cost() {
        return Double.isInfinite(high()) ? 40 : 6;
    }

    @Override
    public KeyKind kind() {
        return KeyKind.RANGE;
    }

    @Override
    void enter() {
        probe.otherTerms().suffixes().add(this);
    }

    @Override
    void leave() {
        probe.otherTerms().suffixes().remove(this);
    }
}
