package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.expression.Like;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;

/// `T(x LIKE '%ab%')` and other patterns that begin with a wildcard: found by a plain text in them.
public final class SubstringTerm extends PredicateTerm {

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

    public byte[] literal() {
        return text.text();
    }

    /// True if the term is true wherever the literal occurs.
    public boolean isWhole() {
        return text.isWhole();
    }

    @Override
    public int mask(Buckets buckets) {
        return buckets.maskOfStrings();
    }

    @Override
    public int effort() {
        return 20;
    }

    @Override
    public double cost() {
        return text.cost();
    }

    @Override
    public KeyKind kind() {
        return KeyKind.SUBSTRING;
    }

    @Override
    void enter() {
        probe.otherTerms().substrings().add(this);
    }

    @Override
    void leave() {
        probe.otherTerms().substrings().remove(this);
    }
}
