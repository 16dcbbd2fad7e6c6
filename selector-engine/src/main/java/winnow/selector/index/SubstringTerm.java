package winnow.selector.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import winnow.selector.compile.Predicate;
import winnow.selector.expression.Like;

/// `T(x LIKE '%ab%')` and other patterns that begin with a wildcard: found by the longest plain
/// text in them.
final class SubstringTerm extends PredicateTerm {

    /// More than this of a text tells hardly more messages apart, but costs memory per byte.
    private static final int MAX_LITERAL = 64;

    private final byte[] literal;
    private final boolean whole;

    SubstringTerm(SlotProbe probe, int number, Predicate predicate, Like like, long[] uses) {
        super(probe, number, predicate, like, uses);
        byte[] text = like.pattern().longestText().getBytes(UTF_8);
        this.literal = text.length > MAX_LITERAL ? Arrays.copyOf(text, MAX_LITERAL) : text;
        this.whole = text.length <= MAX_LITERAL && like.pattern().isTextAnywhere();
    }

    byte[] literal() {
        return literal;
    }

    /// Whether the term is true wherever the literal occurs.
    boolean isWhole() {
        return whole;
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
        return 4 + 60.0 / literal.length;
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
