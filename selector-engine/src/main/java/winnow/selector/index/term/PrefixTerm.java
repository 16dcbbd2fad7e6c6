package winnow.selector.index.term;

import winnow.selector.compile.Predicate;
import winnow.selector.expression.Like;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;

/// `T(x LIKE 'ab..')` whose pattern begins with plain text: found by that text.
public final class PrefixTerm extends PredicateTerm {

    private final PatternText prefix;

    PrefixTerm(
            SlotProbe probe,
            int number,
            Predicate predicate,
            Like like,
            PatternText prefix,
            long[] uses) {
        super(probe, number, predicate, like, uses);
        this.prefix = prefix;
    }

    byte[] prefix() {
        return prefix.text();
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
        return prefix.cost();
    }

    @Override
    public KeyKind kind() {
        return KeyKind.PREFIX;
    }

    @Override
    void enter() {
        probe.otherTerms().prefixes().add(prefix.text(), this);
    }

    @Override
    void leave() {
        probe.otherTerms().prefixes().remove(prefix.text(), this);
    }
}
