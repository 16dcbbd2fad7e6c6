package winnow.selector.index;

import winnow.selector.compile.Predicate;
import winnow.selector.expression.Like;

/// `T(x LIKE 'ab..')` whose pattern begins with plain text: found by that text.
final class PrefixTerm extends PredicateTerm {

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
    int mask(Buckets buckets) {
        return buckets.maskOfStrings();
    }

    @Override
    int effort() {
        return 8;
    }

    @Override
    double cost() {
        return prefix.cost();
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.PREFIX;
    }

    @Override
    void link() {
        probe.prefixes().add(prefix.text(), this);
    }

    @Override
    void unlink() {
        probe.prefixes().remove(prefix.text(), this);
    }
}
