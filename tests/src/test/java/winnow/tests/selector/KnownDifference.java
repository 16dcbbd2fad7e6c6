package winnow.tests.selector;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Truth;
import winnow.tests.selector.Disagreement.Feature;

/// A way in which peers differ from the specification in the value of one atom.
///
/// @param clause what the specification says, or that it says nothing
/// @param explains whether a disagreement is of this kind
record KnownDifference(String name, String clause, Predicate<Disagreement> explains) {

    /// In this order; the first that explains a disagreement gets it.
    static final List<KnownDifference> ALL =
            List.of(
                    new KnownDifference(
                            "IN of a number or boolean is UNKNOWN",
                            "3.8.1.1: IN is equivalent to = joined by OR, and = of values that are"
                                    + " not alike is false",
                            d ->
                                    d.isIn()
                                            && !d.has(Feature.MISSING)
                                            && !d.has(Feature.STRING)
                                            && d.theirs() == Truth.UNKNOWN),
                    new KnownDifference(
                            "= and <> take NULL for a value",
                            "3.8.1.2: comparison with an unknown value always yields unknown",
                            d ->
                                    d.isEquality()
                                            && d.isPlain()
                                            && d.ours() == Truth.UNKNOWN
                                            && d.theirsOfAtom() == nullAsValue(d)),
                    new KnownDifference(
                            "<> of values that are not alike is TRUE",
                            "3.8.1.1: if the comparison of non-like type values is attempted, the"
                                    + " value of the operation is false",
                            d ->
                                    d.isUnequal()
                                            && !d.isAlike(d.pairs().getFirst())
                                            && d.theirsOfAtom() == Truth.TRUE),
                    new KnownDifference(
                            "strings and booleans are ordered",
                            "3.8.1.1: string and boolean comparison is restricted to = and <>",
                            d ->
                                    !d.isEquality()
                                            && d.oursOfAtom() != Truth.TRUE
                                            && d.pairs().stream().anyMatch(d::isOfTexts)),
                    new KnownDifference(
                            "a byte or short on the right is unlike a wider number on the left",
                            "3.8.1.1: the type conversion is defined by Java numeric promotion",
                            d -> d.pairs().stream().anyMatch(d::isWiderThanShort)),
                    new KnownDifference(
                            "NaN equals itself and -0.0 is less than 0",
                            "3.8.1.1: Java numeric promotion, hence Java's comparison",
                            d ->
                                    d.has(Feature.NAN_OR_ZERO)
                                            || d.computesNegativeZero()
                                            || (!d.isBetween() && d.computesNaN())),
                    new KnownDifference(
                            "NOT BETWEEN of NaN is TRUE",
                            "3.8.1.1: NOT BETWEEN is equivalent to < joined with > by OR",
                            d -> d.isBetween() && d.computesNaN()),
                    new KnownDifference(
                            "arithmetic with a byte, a short or what is no number is an error",
                            "3.8.1.1: arithmetic operations use Java numeric promotion; 3.8.1.2:"
                                    + " with an unknown value they yield unknown",
                            d -> !d.isPlain() && d.failed()),
                    new KnownDifference(
                            "a double on the left of a float is an error",
                            "3.8.1.1: the type conversion is defined by Java numeric promotion",
                            d ->
                                    d.peer().equals("Classic")
                                            && d.failed()
                                            && d.has(Feature.DOUBLE)
                                            && d.has(Feature.FLOAT)),
                    new KnownDifference(
                            "arithmetic of ints wraps around at 32 bits",
                            "3.8.1.1 does not give the type of a literal; ours is long",
                            d -> d.has(Feature.ARITHMETIC) && d.has(Feature.INT)),
                    new KnownDifference(
                            "arithmetic of a float and a whole number is done in double",
                            "3.8.1.1: Java numeric promotion, which gives a float",
                            d ->
                                    d.has(Feature.ARITHMETIC)
                                            && d.has(Feature.FLOAT)
                                            && (d.has(Feature.LONG)
                                                    || d.has(Feature.BYTE_OR_SHORT))),
                    new KnownDifference(
                            "division is always approximate",
                            "3.8.1.1: arithmetic operations use Java numeric promotion",
                            d -> d.has(Feature.DIVISION)),
                    new KnownDifference(
                            "arithmetic without a value is not UNKNOWN",
                            "3.8.1.2: arithmetic with an unknown value always yields unknown",
                            d -> !d.isPlain() && d.ours() == Truth.UNKNOWN && d.hasNoNumber()),
                    new KnownDifference(
                            "BETWEEN does not follow the tables for UNKNOWN",
                            "3.8.1.2: tables of AND and OR",
                            d -> d.peer().equals("Qpid") && d.isBetween() && d.hasNoNumber()));

    /// The value of an atom is right, but not that of what it is part of.
    static final String NOT_BINDS_TIGHTER =
            "NOT a = b is read as (NOT a) = b; 3.8.1.1: NOT is a logical operator over conditional"
                    + " expressions";

    static final String ERROR_ENDS_ALL =
            "a failure in one operand of AND or OR ends the evaluation; 3.8.1.2: tables of AND, OR";

    static final String UNKNOWN_IN_AND_OR =
            "AND and OR do not follow the tables for UNKNOWN; 3.8.1.2: tables of AND, OR";

    static final String JAVA_LITERAL =
            "a literal in Java's syntax is refused; 3.8.1.1: literals use the Java syntax";

    static Set<String> names() {
        Set<String> names = new TreeSet<>();
        ALL.forEach(known -> names.add(known.label()));
        names.addAll(List.of(NOT_BINDS_TIGHTER, ERROR_ENDS_ALL, UNKNOWN_IN_AND_OR, JAVA_LITERAL));
        return names;
    }

    private static final Pattern SUFFIXED = Pattern.compile("[0-9]f|-9223372036854775808");

    /// @return null if there is no known reason
    static @Nullable String ofRefusal(String text) {
        return SUFFIXED.matcher(text).find() ? JAVA_LITERAL : null;
    }

    /// The first kind that a disagreement is of. It is known only if the specification's rules give
    /// exactly our answer and the peer's give exactly theirs.
    ///
    /// @return null if there is no known reason
    static @Nullable String of(Disagreement disagreement) {
        if (!disagreement.isByTheRules()) {
            return null;
        }
        for (KnownDifference known : ALL) {
            if (known.explains.test(disagreement)) {
                return known.label();
            }
        }
        return null;
    }

    private String label() {
        return name + "; " + clause;
    }

    private static Truth nullAsValue(Disagreement d) {
        Disagreement.Pair pair = d.pairs().getFirst();
        boolean both = d.plainValue(pair.left()) == null && d.plainValue(pair.right()) == null;
        return Truth.of(both != d.isUnequal());
    }
}
