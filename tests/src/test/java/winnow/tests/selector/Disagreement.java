package winnow.tests.selector;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Sign;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.Truth;

/// An atom, or NOT of one, to which a peer gives another truth value than we do.
///
/// @param failed whether the peer's evaluation ended with an exception
record Disagreement(
        String peer,
        Condition leaf,
        Map<String, Object> message,
        Truth ours,
        Truth theirs,
        boolean failed) {

    /// What occurs in the operands of the atom. Zero is the approximate one, which a sign makes
    /// -0.0.
    enum Feature {
        MISSING,
        BYTE_OR_SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        NAN_OR_ZERO,
        STRING,
        BOOLEAN,
        SIGN,
        DIVISION,
        ARITHMETIC
    }

    /// One comparison, of which a BETWEEN has two.
    record Pair(Operand left, ComparisonOperator operator, Operand right) {}

    /// True if the specification's rules give our answer, and the peer's rules theirs.
    boolean isByTheRules() {
        if (!PeerRules.know(atom()) || new ReferenceInterpreter(message).evaluate(leaf) != ours) {
            return false;
        }
        return PeerRules.of(peer)
                .answer(leaf, message)
                .equals(new PeerRules.Answer(theirs, failed));
    }

    boolean negated() {
        return leaf instanceof Not;
    }

    Atom atom() {
        return leaf instanceof Not(Atom inner) ? inner : (Atom) leaf;
    }

    /// What they say of the atom itself.
    Truth theirsOfAtom() {
        return negated() ? theirs.not() : theirs;
    }

    Truth oursOfAtom() {
        return negated() ? ours.not() : ours;
    }

    boolean isIn() {
        return atom() instanceof In;
    }

    List<Pair> pairs() {
        return switch (atom()) {
            case Comparison(Operand left, var operator, Operand right) ->
                    List.of(new Pair(left, operator, right));
            case Between(Operand value, Operand low, Operand high, boolean outside) ->
                    List.of(
                            new Pair(
                                    value,
                                    outside
                                            ? ComparisonOperator.LESS
                                            : ComparisonOperator.GREATER_OR_EQUAL,
                                    low),
                            new Pair(
                                    value,
                                    outside
                                            ? ComparisonOperator.GREATER
                                            : ComparisonOperator.LESS_OR_EQUAL,
                                    high));
            default -> List.of();
        };
    }

    /// The operator of a comparison; that of BETWEEN is an ordering.
    boolean isEquality() {
        return atom() instanceof Comparison comparison && !comparison.operator().isOrdering();
    }

    boolean isUnequal() {
        return atom() instanceof Comparison comparison
                && comparison.operator() == ComparisonOperator.NOT_EQUAL;
    }

    /// True if the operands are names and literals only.
    boolean isPlain() {
        return !has(Feature.SIGN) && !has(Feature.ARITHMETIC);
    }

    boolean has(Feature feature) {
        return features().contains(feature);
    }

    Set<Feature> features() {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        for (Pair pair : pairs()) {
            collect(pair.left, features);
            collect(pair.right, features);
        }
        if (atom() instanceof In(Identifier name, var _)) {
            collect(name, features);
        }
        return features;
    }

    private void collect(Operand operand, Set<Feature> features) {
        switch (operand) {
            case Signed(var _, Operand inner) -> {
                features.add(Feature.SIGN);
                collect(inner, features);
            }
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                features.add(Feature.ARITHMETIC);
                collect(first, features);
                for (Arithmetic.Step step : steps) {
                    if (step.operator() == ArithmeticOperator.DIVIDE) {
                        features.add(Feature.DIVISION);
                    }
                    collect(step.operand(), features);
                }
            }
            default -> features.add(featureOf(plainValue(operand)));
        }
    }

    /// The value of a name or literal.
    @Nullable Object plainValue(Operand operand) {
        return switch (operand) {
            case Identifier(String name) -> message.get(name);
            case LongLiteral(long value) ->
                    value == (int) value ? (Object) (int) value : (Object) value;
            case FloatLiteral(float value) -> value;
            case DoubleLiteral(double value) -> value;
            case StringLiteral(String value) -> value;
            case BooleanLiteral(boolean value) -> value;
            case Signed _, Arithmetic _ -> throw new IllegalArgumentException(operand.toString());
        };
    }

    private static Feature featureOf(@Nullable Object value) {
        return switch (value) {
            case null -> Feature.MISSING;
            case Byte _, Short _ -> Feature.BYTE_OR_SHORT;
            case Integer _ -> Feature.INT;
            case Long _ -> Feature.LONG;
            case Float f when f.isNaN() || f == 0 -> Feature.NAN_OR_ZERO;
            case Float _ -> Feature.FLOAT;
            case Double d when d.isNaN() || d == 0 -> Feature.NAN_OR_ZERO;
            case Double _ -> Feature.DOUBLE;
            case String _ -> Feature.STRING;
            case Boolean _ -> Feature.BOOLEAN;
            default -> throw new IllegalArgumentException("no property: " + value);
        };
    }

    boolean isBetween() {
        return atom() instanceof Between;
    }

    boolean hasNoNumber() {
        return has(Feature.MISSING) || has(Feature.STRING) || has(Feature.BOOLEAN);
    }

    /// True if arithmetic leads to NaN, as infinity times 0 does.
    boolean computesNaN() {
        return computes(Double::isNaN);
    }

    /// True if arithmetic leads to -0.0, as -1.5 times 0 does.
    boolean computesNegativeZero() {
        return computes(value -> Double.compare(value, -0.0) == 0);
    }

    private boolean computes(DoublePredicate which) {
        return pairs().stream()
                .anyMatch(pair -> which.test(value(pair.left)) || which.test(value(pair.right)));
    }

    /// The value of an operand in double arithmetic; 0 for what is no number.
    private double value(Operand operand) {
        return switch (operand) {
            case Signed(Sign sign, Operand inner) ->
                    sign == Sign.MINUS ? -value(inner) : value(inner);
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                double value = value(first);
                for (Arithmetic.Step step : steps) {
                    value = step.operator().apply(value, value(step.operand()));
                }
                yield value;
            }
            default -> plainValue(operand) instanceof Number number ? number.doubleValue() : 0;
        };
    }

    /// Whether two values are both numbers, both strings or both booleans, or one is missing.
    boolean isAlike(Pair pair) {
        Class<?> left = typeOf(pair.left);
        Class<?> right = typeOf(pair.right);
        return left == Void.class || right == Void.class || left == right;
    }

    boolean isOfTexts(Pair pair) {
        return typeOf(pair.left) != Number.class && typeOf(pair.left) == typeOf(pair.right);
    }

    boolean isWiderThanShort(Pair pair) {
        return typeOf(pair.left) == Number.class
                && unsignedValue(pair.right) instanceof Number right
                && (right instanceof Byte || right instanceof Short);
    }

    /// The value of a name or literal, behind any signs; null for arithmetic.
    private @Nullable Object unsignedValue(Operand operand) {
        return switch (operand) {
            case Signed(var _, Operand inner) -> unsignedValue(inner);
            case Arithmetic _ -> null;
            default -> plainValue(operand);
        };
    }

    private static boolean isPlain(Operand operand) {
        return !(operand instanceof Signed || operand instanceof Arithmetic);
    }

    /// Number, String or Boolean; Void if missing. Arithmetic is taken for a number.
    private Class<?> typeOf(Operand operand) {
        if (!isPlain(operand)) {
            return Number.class;
        }
        Object value = plainValue(operand);
        return switch (value) {
            case null -> Void.class;
            case Number _ -> Number.class;
            default -> value.getClass();
        };
    }
}
