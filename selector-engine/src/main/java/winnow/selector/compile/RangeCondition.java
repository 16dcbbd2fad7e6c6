package winnow.selector.compile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import winnow.selector.expression.And;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.NumberLiteral;

/// The condition that a range was made from, or one over the same numbers: bounds are compared with
/// those that the literals near them would give.
final class RangeCondition {

    /// One end of a range: how to read it, and the operators that bound it.
    private record End(
            ToLongFunction<NumberRange> exact,
            ToDoubleFunction<NumberRange> ofFloat,
            ToDoubleFunction<NumberRange> ofDouble,
            ComparisonOperator inclusive,
            ComparisonOperator exclusive,
            int outwards) {

        boolean isBounded(NumberRange range) {
            return ofDouble.applyAsDouble(range) != outwards * Double.POSITIVE_INFINITY;
        }

        boolean same(NumberRange a, NumberRange b) {
            return exact.applyAsLong(a) == exact.applyAsLong(b)
                    && ofFloat.applyAsDouble(a) == ofFloat.applyAsDouble(b)
                    && ofDouble.applyAsDouble(a) == ofDouble.applyAsDouble(b);
        }
    }

    private static final End LOW =
            new End(
                    NumberRange::exactLow,
                    NumberRange::floatLow,
                    NumberRange::doubleLow,
                    ComparisonOperator.GREATER_OR_EQUAL,
                    ComparisonOperator.GREATER,
                    -1);
    private static final End HIGH =
            new End(
                    NumberRange::exactHigh,
                    NumberRange::floatHigh,
                    NumberRange::doubleHigh,
                    ComparisonOperator.LESS_OR_EQUAL,
                    ComparisonOperator.LESS,
                    1);

    private RangeCondition() {}

    static Condition of(Identifier identifier, NumberRange range) {
        List<Comparison> equalities = new ArrayList<>();
        for (NumberLiteral literal : near(LOW, range)) {
            if (NumberRange.of(ComparisonOperator.EQUAL, literal).equals(range)) {
                equalities.add(new Comparison(identifier, ComparisonOperator.EQUAL, literal));
            }
        }
        if (!equalities.isEmpty()) {
            return likeliest(equalities);
        }
        List<Condition> bounds = new ArrayList<>();
        for (End end : List.of(LOW, HIGH)) {
            if (end.isBounded(range)) {
                bounds.add(bound(identifier, end, range));
            }
        }
        if (bounds.size() == 1) {
            return bounds.getFirst();
        }
        if (bounds.getFirst() instanceof Comparison(_, var from, var low)
                && bounds.getLast() instanceof Comparison(_, var to, var high)
                && from == ComparisonOperator.GREATER_OR_EQUAL
                && to == ComparisonOperator.LESS_OR_EQUAL) {
            return new Between(identifier, low, high, false);
        }
        return new And(bounds);
    }

    private static Condition bound(Identifier identifier, End end, NumberRange range) {
        List<Comparison> comparisons = new ArrayList<>();
        for (NumberLiteral literal : near(end, range)) {
            for (ComparisonOperator operator : List.of(end.inclusive, end.exclusive)) {
                if (end.same(NumberRange.of(operator, literal), range)) {
                    comparisons.add(new Comparison(identifier, operator, literal));
                }
            }
        }
        if (comparisons.isEmpty()) {
            double bound = end.ofDouble.applyAsDouble(range);
            double finite = Math.clamp(bound, -Double.MAX_VALUE, Double.MAX_VALUE);
            return new Comparison(identifier, end.inclusive, new DoubleLiteral(finite));
        }
        return likeliest(comparisons);
    }

    /// The comparison that a person most likely wrote: with a whole number if it is one, and with
    /// `0.1f` and not the double that this is.
    private static Comparison likeliest(List<Comparison> comparisons) {
        return Collections.min(
                comparisons,
                Comparator.<Comparison, Boolean>comparing(
                                each -> !(each.right() instanceof LongLiteral))
                        .thenComparingInt(each -> ExpressionPrinter.print(each).length()));
    }

    /// The literals that may have been the bound, or the bound without itself.
    private static List<NumberLiteral> near(End end, NumberRange range) {
        long exact = end.exact.applyAsLong(range);
        double approximate = end.ofDouble.applyAsDouble(range);
        float single = (float) end.ofFloat.applyAsDouble(range);
        double outwards = end.outwards * Double.POSITIVE_INFINITY;
        List<NumberLiteral> literals = new ArrayList<>();
        literals.add(new LongLiteral(exact));
        literals.add(new LongLiteral(exact + end.outwards));
        DoubleStream.of(approximate, Math.nextAfter(approximate, outwards))
                .filter(Double::isFinite)
                .forEach(value -> literals.add(new DoubleLiteral(value)));
        DoubleStream.of(single, Math.nextAfter(single, outwards))
                .filter(Double::isFinite)
                .forEach(value -> literals.add(new FloatLiteral((float) value)));
        return literals;
    }
}
