package winnow.selector.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import winnow.selector.compile.Predicate;
import winnow.selector.expression.Like;

/// `T(x LIKE 'ab..')` whose pattern begins with plain text: found by that text.
final class PrefixTerm extends PredicateTerm {

    private final byte[] prefix;

    PrefixTerm(SlotProbe probe, int number, Predicate predicate, Like like, long[] uses) {
        super(probe, number, predicate, like, uses);
        this.prefix = like.pattern().prefix().getBytes(UTF_8);
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
        return 2 + 30.0 / prefix.length;
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.PREFIX;
    }

    @Override
    void link() {
        probe.prefixes().add(prefix, this);
    }

    @Override
    void unlink() {
        probe.prefixes().remove(prefix, this);
    }
}
