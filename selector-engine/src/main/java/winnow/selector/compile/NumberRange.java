package winnow.selector.compile;

import static winnow.selector.expression.ComparisonOperator.GREATER_OR_EQUAL;
import static winnow.selector.expression.ComparisonOperator.LESS_OR_EQUAL;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.slot.SlotValues;

/// The numbers for which a comparison with a literal is TRUE, as inclusive bounds, one pair per
/// type of the property, because Java's numeric promotion depends on both types:
///
/// | property | long literal | float literal | double literal |
/// |---|---|---|---|
/// | byte, short, int, long | long | float | double |
/// | float | float | float | double |
/// | double | double | double | double |
///
/// Rounding a long to float or double keeps order, so the longs that satisfy a comparison are
/// always one interval. NaN is in no range. A range whose low is above its high is empty.
public record NumberRange(
        long exactLow,
        long exactHigh,
        double floatLow,
        double floatHigh,
        double doubleLow,
        double doubleHigh) {

    /// Whatever can be compared with a number.
    static final NumberRange ALL =
            new NumberRange(
                    Long.MIN_VALUE,
                    Long.MAX_VALUE,
                    Double.NEGATIVE_INFINITY,
                    Double.POSITIVE_INFINITY,
                    Double.NEGATIVE_INFINITY,
                    Double.POSITIVE_INFINITY);

    /// Larger whole numbers are not all doubles.
    private static final double MAX_WHOLE = 1L << 53;

    /// True if these can be the bounds of doubles, floats and whole numbers, which are compared
    /// with them as doubles: rounding a whole number to a double moves it over neither.
    static boolean isTheSameForAllTypes(double low, double high) {
        return isBound(low) && isBound(high);
    }

    private static boolean isBound(double bound) {
        return Math.abs(bound) < MAX_WHOLE || Double.isInfinite(bound);
    }

    /// @param low see [#isTheSameForAllTypes]
    static NumberRange ofAllTypes(double low, double high) {
        long exactLow = (long) Math.ceil(low);
        long exactHigh = (long) Math.floor(high);
        return new NumberRange(exactLow, exactHigh, low, high, low, high);
    }

    /// @param operator any but `<>`, whose numbers are not one interval
    static NumberRange of(ComparisonOperator operator, NumberLiteral literal) {
        return switch (literal) {
            case LongLiteral(long value) ->
                    of(
                            operator,
                            value,
                            exact -> Long.compare(exact, value),
                            (float) value,
                            (double) value);
            case FloatLiteral(float value) ->
                    of(operator, (long) value, exact -> order((float) exact, value), value, value);
            case DoubleLiteral(double value) ->
                    of(operator, (long) value, exact -> order((double) exact, value), value, value);
        };
    }

    /// @param near an exact number near the literal, if there is one
    /// @param order sign of "this exact number minus the literal", after promotion
    /// @param floatBound the literal as a float property sees it
    /// @param doubleBound the literal as a double property sees it
    private static NumberRange of(
            ComparisonOperator operator,
            long near,
            LongToIntFunction order,
            double floatBound,
            double doubleBound) {
        return switch (operator) {
            case EQUAL ->
                    of(GREATER_OR_EQUAL, near, order, floatBound, doubleBound)
                            .intersect(of(LESS_OR_EQUAL, near, order, floatBound, doubleBound));
            case GREATER_OR_EQUAL ->
                    from(
                            first(near, exact -> order.applyAsInt(exact) >= 0),
                            floatBound,
                            doubleBound);
            case GREATER ->
                    from(
                            first(near, exact -> order.applyAsInt(exact) > 0),
                            Math.nextUp(floatBound),
                            Math.nextUp(doubleBound));
            case LESS_OR_EQUAL ->
                    upTo(
                            first(near, exact -> order.applyAsInt(exact) > 0),
                            floatBound,
                            doubleBound);
            case LESS ->
                    upTo(
                            first(near, exact -> order.applyAsInt(exact) >= 0),
                            Math.nextDown(floatBound),
                            Math.nextDown(doubleBound));
            case NOT_EQUAL -> throw new IllegalArgumentException("<> has no range");
        };
    }

    private static NumberRange from(@Nullable Long first, double floatLow, double doubleLow) {
        return new NumberRange(
                first == null ? Long.MAX_VALUE : first,
                first == null ? Long.MIN_VALUE : Long.MAX_VALUE,
                floatLow,
                Double.POSITIVE_INFINITY,
                doubleLow,
                Double.POSITIVE_INFINITY);
    }

    /// @param firstAbove the smallest exact number that is too large, or null if none is
    private static NumberRange upTo(
            @Nullable Long firstAbove, double floatHigh, double doubleHigh) {
        boolean empty = firstAbove != null && firstAbove == Long.MIN_VALUE;
        long exactHigh = firstAbove == null ? Long.MAX_VALUE : firstAbove - 1;
        return new NumberRange(
                empty ? Long.MAX_VALUE : Long.MIN_VALUE,
                empty ? Long.MIN_VALUE : exactHigh,
                Double.NEGATIVE_INFINITY,
                floatHigh,
                Double.NEGATIVE_INFINITY,
                doubleHigh);
    }

    /// The smallest number that satisfies a condition which holds from some number on, or null. It
    /// is looked for close to a number first, which spares most of the steps.
    private static @Nullable Long first(long near, LongPredicate condition) {
        if (!condition.test(Long.MAX_VALUE)) {
            return null;
        }
        long low = Long.MIN_VALUE;
        long high = Long.MAX_VALUE;
        if (near > Long.MIN_VALUE + 2 && near < Long.MAX_VALUE - 2) {
            low = condition.test(near - 2) ? low : near - 1;
            high = condition.test(near + 2) ? near + 2 : high;
        }
        while (low < high) {
            long middle = (low & high) + ((low ^ high) >> 1);
            if (condition.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// Unlike [Double#compare], 0.0 and -0.0 are equal.
    private static int order(double a, double b) {
        return a < b ? -1 : a > b ? 1 : 0;
    }

    NumberRange intersect(NumberRange other) {
        return new NumberRange(
                Math.max(exactLow, other.exactLow),
                Math.min(exactHigh, other.exactHigh),
                Math.max(floatLow, other.floatLow),
                Math.min(floatHigh, other.floatHigh),
                Math.max(doubleLow, other.doubleLow),
                Math.min(doubleHigh, other.doubleHigh));
    }

    /// @param kind of the number, see [SlotValues#kind]
    /// @param exact the number if its kind is EXACT
    /// @param approximate the number if its kind is FLOAT or DOUBLE
    boolean holds(byte kind, long exact, double approximate) {
        return switch (kind) {
            case SlotValues.EXACT -> exact >= exactLow && exact <= exactHigh;
            case SlotValues.FLOAT -> approximate >= floatLow && approximate <= floatHigh;
            case SlotValues.DOUBLE -> approximate >= doubleLow && approximate <= doubleHigh;
            default -> false;
        };
    }

    /// A float which divides numbers, rounded to float, whatever their type: those below it are too
    /// low, those above it are not. NaN if there is none.
    public float lowFloat() {
        float low = (float) doubleLow;
        boolean same = exactLow == (long) Math.ceil(doubleLow) || (float) exactLow == low;
        return same && (float) floatLow == low ? low : Float.NaN;
    }

    /// The same for numbers that are too high, those above it.
    public float highFloat() {
        float high = (float) doubleHigh;
        boolean same = exactHigh == (long) Math.floor(doubleHigh) || (float) exactHigh == high;
        return same && (float) floatHigh == high ? high : Float.NaN;
    }

    /// True if numbers that equal [#lowFloat] are not too low and those that equal [#highFloat] are
    /// not too high, if rounding to float does not change them.
    public boolean holdsItsFloats() {
        float low = lowFloat();
        float high = highFloat();
        return doubleLow == low
                && floatLow == low
                && exactLow == (long) Math.ceil(doubleLow)
                && doubleHigh == high
                && floatHigh == high
                && exactHigh == (long) Math.floor(doubleHigh);
    }

    /// A condition on the name that is TRUE exactly for numbers in the range.
    public Condition condition(Identifier identifier) {
        return RangeCondition.of(identifier, this);
    }

    /// True if no number is in it.
    public boolean isEmpty() {
        return low() > high();
    }

    /// True if both have the same lower bounds.
    public boolean beginsLike(NumberRange other) {
        return exactLow == other.exactLow
                && floatLow == other.floatLow
                && doubleLow == other.doubleLow;
    }

    /// True if both have the same upper bounds.
    public boolean endsLike(NumberRange other) {
        return exactHigh == other.exactHigh
                && floatHigh == other.floatHigh
                && doubleHigh == other.doubleHigh;
    }

    /// The lowest number in the range as a double, or more than [#high] if it is empty.
    public double low() {
        double low = exactLow <= exactHigh ? (double) exactLow : Double.POSITIVE_INFINITY;
        low = floatLow <= floatHigh ? Math.min(low, floatLow) : low;
        return doubleLow <= doubleHigh ? Math.min(low, doubleLow) : low;
    }

    /// The highest number in the range as a double.
    public double high() {
        double high = exactLow <= exactHigh ? (double) exactHigh : Double.NEGATIVE_INFINITY;
        high = floatLow <= floatHigh ? Math.max(high, floatHigh) : high;
        return doubleLow <= doubleHigh ? Math.max(high, doubleHigh) : high;
    }

    /// True if [#points] has any.
    public boolean hasPoints() {
        boolean few =
                (exactLow >= exactHigh || (double) exactLow == (double) exactHigh)
                        && floatLow >= floatHigh
                        && doubleLow >= doubleHigh;
        return few && (exactLow <= exactHigh || floatLow == floatHigh || doubleLow == doubleHigh);
    }

    /// The doubles, at most one per type of property, that all numbers in the range become; none if
    /// there are more or the range is empty.
    public double[] points() {
        if (!hasPoints()) {
            return new double[0];
        }
        double[] points = new double[3];
        int count = 0;
        if (exactLow <= exactHigh) {
            count = added((double) exactLow, points, count);
        }
        if (floatLow == floatHigh) {
            count = added(floatLow, points, count);
        }
        if (doubleLow == doubleHigh) {
            count = added(doubleLow, points, count);
        }
        return Arrays.copyOf(points, count);
    }

    /// True if one of [#points] is what only properties of type float become.
    public boolean isOfFloatsOnly(double point) {
        boolean exact = exactLow <= exactHigh && point == (double) exactLow;
        return !exact && !(doubleLow == doubleHigh && point == doubleLow);
    }

    private static int added(double point, double[] points, int count) {
        for (int i = 0; i < count; i++) {
            if (points[i] == point) {
                return count;
            }
        }
        points[count] = point + 0.0;
        return count + 1;
    }
}
