package winnow.selector.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.Literal;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Or;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;

/// Texts to write instead of a valid part of a selector that is probably not what was meant. Each
/// method returns the text of a valid selector, or null if it knows none.
final class Corrections {

    private static final String NUMBER = "-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,17})?";

    private Corrections() {}

    /// `p <> 'a' OR p IS NULL`
    static String orMissing(Condition condition, SequencedSet<Identifier> identifiers) {
        List<Condition> operands = new ArrayList<>(List.of(condition));
        identifiers.forEach(identifier -> operands.add(new IsNull(identifier)));
        return ExpressionPrinter.print(new Or(operands));
    }

    /// `LIKE 'a*'` becomes `LIKE 'a%'`.
    static String starAsWildcard(Like like) {
        LikePattern pattern = pattern(like.pattern().unescaped(), '*');
        return ExpressionPrinter.print(new Like(like.identifier(), pattern));
    }

    /// `= 'a%'` becomes `LIKE 'a%'`.
    static @Nullable String asLike(Comparison comparison) {
        if (comparison.left() instanceof Identifier identifier
                && comparison.right() instanceof StringLiteral(String value)) {
            Like like = new Like(identifier, pattern(value, '%'));
            boolean equal = comparison.operator() == ComparisonOperator.EQUAL;
            return ExpressionPrinter.print(equal ? like : new Not(like));
        }
        return null;
    }

    private static LikePattern pattern(String text, char anyRun) {
        LikePattern.Builder pattern = LikePattern.builder();
        text.codePoints()
                .forEach(point -> {
                    if (point == anyRun) {
                        pattern.anyRun();
                    } else {
                        pattern.character(point);
                    }
                });
        return pattern.build();
    }

    /// `LIKE 'a'` becomes `= 'a'`.
    static String asEquality(Like like) {
        StringLiteral value = new StringLiteral(like.pattern().unescaped());
        return ExpressionPrinter.print(
                new Comparison(like.identifier(), ComparisonOperator.EQUAL, value));
    }

    /// `= 0.1` becomes `= 0.1f`.
    static @Nullable String asFloat(Comparison comparison) {
        return orNull(
                comparison,
                side ->
                        side instanceof DoubleLiteral(double value) && isFloat((float) value)
                                ? new FloatLiteral((float) value)
                                : side);
    }

    /// True if a double that is not zero has become a number that can be written.
    private static boolean isFloat(float value) {
        return Float.isFinite(value) && value != 0;
    }

    /// `= '5'` becomes `= 5`.
    static @Nullable String unquoted(Comparison comparison) {
        return orNull(
                comparison,
                side -> {
                    Literal literal =
                            side instanceof StringLiteral(String value) ? literal(value) : null;
                    return literal == null ? side : literal;
                });
    }

    /// The changed comparison; null if the change leaves it as it is.
    private static @Nullable String orNull(Comparison comparison, UnaryOperator<Operand> change) {
        String changed = changed(comparison, change);
        return changed.equals(ExpressionPrinter.print(comparison)) ? null : changed;
    }

    /// The number or boolean that a string looks like.
    private static @Nullable Literal literal(String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return new BooleanLiteral(Boolean.parseBoolean(text));
        }
        if (!text.matches(NUMBER)) {
            return null;
        }
        return text.indexOf('.') < 0
                ? new LongLiteral(Long.parseLong(text))
                : new DoubleLiteral(Double.parseDouble(text));
    }

    private static String changed(Comparison comparison, UnaryOperator<Operand> change) {
        return ExpressionPrinter.print(
                new Comparison(
                        change.apply(comparison.left()),
                        comparison.operator(),
                        change.apply(comparison.right())));
    }

    /// `n / 2 = 3` becomes `n / 2.0 = 3`.
    static @Nullable String asFractions(Atom atom) {
        return switch (atom) {
            case Comparison comparison -> changed(comparison, Corrections::fraction);
            case Between(Operand value, Operand low, Operand high, boolean negated) ->
                    ExpressionPrinter.print(
                            new Between(fraction(value), fraction(low), fraction(high), negated));
            default -> null;
        };
    }

    private static Operand fraction(Operand operand) {
        return switch (operand) {
            case Signed(var sign, Operand inner) -> Signed.of(sign, fraction(inner));
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) ->
                    new Arithmetic(
                            fraction(first), steps.stream().map(Corrections::fraction).toList());
            default -> operand;
        };
    }

    private static Arithmetic.Step fraction(Arithmetic.Step step) {
        return new Arithmetic.Step(
                step.operator(),
                step.operator() == ArithmeticOperator.DIVIDE
                                && step.operand() instanceof LongLiteral(long divisor)
                        ? new DoubleLiteral(divisor)
                        : fraction(step.operand()));
    }

    /// Of an atom that is never TRUE: exchanged ends of BETWEEN, and a delivery mode that is not
    /// written as selectors see it.
    static @Nullable String possible(Atom atom) {
        return switch (atom) {
            case Between(Operand value, Operand low, Operand high, boolean negated) -> {
                Between exchanged = new Between(value, /* low= */ high, /* high= */ low, negated);
                yield Satisfiability.canBe(Satisfiability.Goal.TRUE, exchanged)
                        ? ExpressionPrinter.print(exchanged)
                        : null;
            }
            case Comparison(Identifier(String name), ComparisonOperator operator, Literal literal)
                    when name.equals("JMSDeliveryMode") && !operator.isOrdering() ->
                    deliveryMode(operator, literal);
            default -> null;
        };
    }

    private static @Nullable String deliveryMode(ComparisonOperator operator, Literal literal) {
        String written =
                literal instanceof StringLiteral(String value)
                        ? value
                        : ExpressionPrinter.print(literal);
        String mode =
                switch (written.toUpperCase(Locale.ROOT).replaceAll("[ -]", "_")) {
                    case "1", "NON_PERSISTENT" -> "NON_PERSISTENT";
                    case "2", "PERSISTENT" -> "PERSISTENT";
                    default -> null;
                };
        return mode == null ? null : "JMSDeliveryMode %s '%s'".formatted(operator.symbol(), mode);
    }

    /// The same question about a value of the type that a message has.
    static @Nullable String forValue(Atom atom, Identifier name, Object value) {
        return switch (atom) {
            case Identifier _ when value instanceof String text && isBoolean(text) ->
                    equality(name, ComparisonOperator.EQUAL, new StringLiteral(text));
            case Comparison(Identifier left, ComparisonOperator operator, Literal literal)
                    when left.equals(name) && !operator.isOrdering() ->
                    name.name().equals("JMSDeliveryMode") && value instanceof String
                            ? deliveryMode(operator, literal)
                            : forValue(left, operator, literal, value);
            case In(Identifier _, List<String> texts) -> alternatives(name, texts, value);
            default -> null;
        };
    }

    private static @Nullable String forValue(
            Identifier name, ComparisonOperator operator, Literal literal, Object value) {
        if (value instanceof String text) {
            String written = ExpressionPrinter.print(literal);
            return equality(
                    name,
                    operator,
                    new StringLiteral(written.equalsIgnoreCase(text) ? text : written));
        }
        if (literal instanceof StringLiteral(String text)) {
            Literal unquoted = literal(text);
            return unquoted != null && isLike(unquoted, value)
                    ? equality(name, operator, unquoted)
                    : null;
        }
        return null;
    }

    private static @Nullable String alternatives(
            Identifier name, List<String> texts, Object value) {
        List<Condition> operands = new ArrayList<>();
        for (String text : texts) {
            Literal literal = literal(text);
            if (literal == null || !isLike(literal, value)) {
                return null;
            }
            operands.add(new Comparison(name, ComparisonOperator.EQUAL, literal));
        }
        return ExpressionPrinter.print(
                operands.size() == 1 ? operands.getFirst() : new Or(operands));
    }

    private static boolean isLike(Literal literal, Object value) {
        return literal instanceof BooleanLiteral
                ? value instanceof Boolean
                : value instanceof Number;
    }

    private static boolean isBoolean(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    private static String equality(Identifier name, ComparisonOperator operator, Literal literal) {
        return ExpressionPrinter.print(new Comparison(name, operator, literal));
    }
}
