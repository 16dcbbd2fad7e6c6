package winnow.selector.index;

import winnow.selector.compile.Predicate;
import winnow.selector.expression.Like;

/// `T(x LIKE '%ab%')` and other patterns that begin with a wildcard: found by a plain text in them.
final class SubstringTerm extends PredicateTerm {

    private final PatternText text;

    SubstringTerm(
            SlotProbe probe,
            int number,
            Predicate predicate,
            Like like,
            PatternText text,
            long[] uses) {
        super(probe, number, predicate, like, uses);
        this.text = text;
    }

    byte[] literal() {
        return text.text();
    }

    /// Whether the term is true wherever the literal occurs.
    boolean isWhole() {
        return text.isWhole();
    }

    @Override
    int mask(Buckets buckets) {
        return buckets.maskOfStrings();
    }

    @Override
    int effort() {
        return 20;
    }

    @Override
    double cost() {
        return text.cost();
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.SUBSTRING;
    }

    @Override
    void link() {
        probe.substrings().add(this);
    }

    @Override
    void unlink() {
        probe.substrings().remove(this);
    }
}
