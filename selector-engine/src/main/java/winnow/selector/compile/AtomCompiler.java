package winnow.selector.compile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.Literal;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;
import winnow.selector.slot.SlotRegistry;
import winnow.selector.slot.SlotValues;

/// Compiles atoms. Most look at one slot and are UNKNOWN exactly if it is missing, so that `F(atom)
/// = present & !T(atom)`: one class per kind of atom serves both modes.
final class AtomCompiler {

    private final SlotRegistry slots;

    AtomCompiler(SlotRegistry slots) {
        this.slots = slots;
    }

    Predicate whenTrue(Atom atom) {
        return switch (atom) {
            case IsNull(Identifier identifier) -> new Missing(slot(identifier));
            case BooleanLiteral(boolean value) -> Predicate.constant(value);
            case Identifier identifier -> new KindIs(slot(identifier), SlotValues.TRUE);
            case In in -> in(in);
            case Like(Identifier identifier, var pattern) ->
                    LikeCompiler.compile(pattern, slot(identifier), slots);
            case SuffixRange range -> new SuffixInRange(slot(range.identifier()), range);
            case Comparison comparison -> comparison(comparison, true);
            case Between between -> between(between, true);
        };
    }

    Predicate whenFalse(Atom atom) {
        return switch (atom) {
            case IsNull(Identifier identifier) -> new Present(slot(identifier));
            case BooleanLiteral(boolean value) -> Predicate.constant(!value);
            case Identifier identifier -> refuted(identifier, whenTrue(atom));
            case In in -> refuted(in.identifier(), whenTrue(atom));
            case Like like -> refuted(like.identifier(), whenTrue(atom));
            case SuffixRange range -> refuted(range.identifier(), whenTrue(atom));
            case Comparison comparison -> comparison(comparison, false);
            case Between between -> between(between, false);
        };
    }

    Predicate notANumber(Identifier identifier) {
        return new NotANumber(slot(identifier));
    }

    Predicate interval(Identifier identifier, NumberRange range) {
        return new NumberInRange(slot(identifier), range);
    }

    private Predicate refuted(Identifier identifier, Predicate whenTrue) {
        return new PresentUnless(slot(identifier), whenTrue);
    }

    private Predicate in(In in) {
        int slot = slot(in.identifier());
        int[] constants =
                in.values().stream().mapToInt(value -> constant(slot, value)).sorted().toArray();
        return constants.length == 1
                ? new StringEquals(slot, constants[0])
                : new StringIn(slot, constants);
    }

    private Predicate comparison(Comparison comparison, boolean truth) {
        Operand left = comparison.left();
        Operand right = comparison.right();
        ComparisonOperator operator = comparison.operator();
        if (left instanceof Identifier identifier && right instanceof Literal literal) {
            return withLiteral(identifier, operator, literal, truth);
        }
        if (right instanceof Identifier identifier && left instanceof Literal literal) {
            return withLiteral(identifier, operator.mirrored(), literal, truth);
        }
        if (left instanceof Identifier(String a) && right instanceof Identifier(String b)) {
            return new SlotComparison(slots.require(a), operator, slots.require(b), truth);
        }
        if (left instanceof Literal a && right instanceof Literal b && !areNumbers(a, b)) {
            return Predicate.constant(compareLiterals(a, operator, b) == truth);
        }
        Predicate calculated = calculated(left, operator, right, truth);
        return isConstant(left) && isConstant(right)
                ? Predicate.constant(calculated.test(new SlotValues()))
                : calculated;
    }

    private Predicate calculated(
            Operand left, ComparisonOperator operator, Operand right, boolean truth) {
        if (right instanceof NumberLiteral literal && isCalculated(left) && isRange(operator)) {
            return new ArithmeticInRange(number(left), NumberRange.of(operator, literal), truth);
        }
        if (left instanceof NumberLiteral literal && isCalculated(right) && isRange(operator)) {
            NumberRange range = NumberRange.of(operator.mirrored(), literal);
            return new ArithmeticInRange(number(right), range, truth);
        }
        return new NumberComparison(number(left), operator, number(right), truth);
    }

    private static boolean isConstant(Operand operand) {
        return switch (operand) {
            case Literal _ -> true;
            case Identifier _ -> false;
            case Signed(var _, Operand inner) -> isConstant(inner);
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) ->
                    isConstant(first)
                            && steps.stream().allMatch(step -> isConstant(step.operand()));
        };
    }

    private static boolean isRange(ComparisonOperator operator) {
        return operator != ComparisonOperator.NOT_EQUAL;
    }

    /// True if its value is a number or NULL.
    private static boolean isCalculated(Operand operand) {
        return operand instanceof Arithmetic || operand instanceof Signed;
    }

    private Predicate withLiteral(
            Identifier identifier, ComparisonOperator operator, Literal literal, boolean truth) {
        int slot = slot(identifier);
        boolean equal = operator == ComparisonOperator.EQUAL;
        Predicate whenTrue =
                switch (literal) {
                    case StringLiteral(String value) ->
                            equal
                                    ? new StringEquals(slot, constant(slot, value))
                                    : new StringDiffers(slot, constant(slot, value));
                    case BooleanLiteral(boolean value) ->
                            new KindIs(slot, value == equal ? SlotValues.TRUE : SlotValues.FALSE);
                    case NumberLiteral number ->
                            operator == ComparisonOperator.NOT_EQUAL
                                    ? new NumberDiffers(
                                            slot, NumberRange.of(ComparisonOperator.EQUAL, number))
                                    : new NumberInRange(slot, NumberRange.of(operator, number));
                };
        return truth ? whenTrue : new PresentUnless(slot, whenTrue);
    }

    /// `v BETWEEN a AND b` is `v >= a AND v <= b`; `v NOT BETWEEN a AND b` is `v < a OR v > b`.
    private Predicate between(Between between, boolean truth) {
        if (between.value() instanceof Identifier identifier
                && !between.negated()
                && between.low() instanceof NumberLiteral low
                && between.high() instanceof NumberLiteral high) {
            int slot = slot(identifier);
            NumberRange range =
                    NumberRange.of(ComparisonOperator.GREATER_OR_EQUAL, low)
                            .intersect(NumberRange.of(ComparisonOperator.LESS_OR_EQUAL, high));
            Predicate whenTrue = new NumberInRange(slot, range);
            return truth ? whenTrue : new PresentUnless(slot, whenTrue);
        }
        Comparison low =
                new Comparison(
                        between.value(),
                        between.negated()
                                ? ComparisonOperator.LESS
                                : ComparisonOperator.GREATER_OR_EQUAL,
                        between.low());
        Comparison high =
                new Comparison(
                        between.value(),
                        between.negated()
                                ? ComparisonOperator.GREATER
                                : ComparisonOperator.LESS_OR_EQUAL,
                        between.high());
        var both = List.of(comparison(low, truth), comparison(high, truth));
        return between.negated() == truth ? AnyOf.of(both) : AllOf.of(both);
    }

    private NumberSource number(Operand operand) {
        return switch (operand) {
            case Identifier identifier -> new NumberSource.OfSlot(slot(identifier));
            case Literal literal -> NumberSource.of(literal);
            case Signed(var sign, Operand inner) -> new NumberSource.OfSign(sign, number(inner));
            case Arithmetic arithmetic -> chain(arithmetic);
        };
    }

    /// In a loop and not a stream: a stream costs a dozen stack frames per level of nesting.
    private NumberSource chain(Arithmetic arithmetic) {
        List<ArithmeticOperator> operators = new ArrayList<>(arithmetic.steps().size());
        List<NumberSource> operands = new ArrayList<>(arithmetic.steps().size());
        for (Arithmetic.Step step : arithmetic.steps()) {
            operators.add(step.operator());
            operands.add(number(step.operand()));
        }
        NumberSource first = number(arithmetic.first());
        NumberSource chain = new NumberSource.OfChain(first, operators, operands);
        return operators.size() == 1
                        && first instanceof NumberSource.OfSlot slot
                        && operands.getFirst() instanceof NumberSource.OfConstant constant
                ? new OneStep(slot, operators.getFirst(), constant, chain)
                : chain;
    }

    private static boolean areNumbers(Literal a, Literal b) {
        return a instanceof NumberLiteral && b instanceof NumberLiteral;
    }

    /// Two literals of which at most one is a number; different types are FALSE.
    private static boolean compareLiterals(Literal a, ComparisonOperator operator, Literal b) {
        boolean alike = a.getClass() == b.getClass();
        return alike && a.equals(b) == (operator == ComparisonOperator.EQUAL);
    }

    private int slot(Identifier identifier) {
        return slots.require(identifier.name());
    }

    private int constant(int slot, String value) {
        return slots.requireConstant(slot, value.getBytes(UTF_8));
    }
}
