package winnow.selector.compile;

import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.slot.SlotValues;

/// `T(identifier op number)` for every operator but `<>`, and BETWEEN. Equal to another over the
/// same slot that accepts the same numbers.
public final class NumberInRange extends Predicate {

    private final int slot;

    /// The bounds of a [NumberRange], here because reading another object costs as much as the rest
    /// of a test.
    private final long exactLow;

    private final long exactHigh;
    private final double floatLow;
    private final double floatHigh;
    private final double doubleLow;
    private final double doubleHigh;

    NumberInRange(int slot, NumberRange range) {
        this.slot = slot;
        this.exactLow = range.exactLow();
        this.exactHigh = range.exactHigh();
        this.floatLow = range.floatLow();
        this.floatHigh = range.floatHigh();
        this.doubleLow = range.doubleLow();
        this.doubleHigh = range.doubleHigh();
    }

    @Override
    public boolean test(SlotValues values) {
        byte kind = values.kind(slot);
        return holds(kind, values.exact(slot), values.approximate(slot));
    }

    /// @param exact the number if its kind is EXACT
    /// @param approximate the number if its kind is FLOAT or DOUBLE
    boolean holds(byte kind, long exact, double approximate) {
        if (kind == SlotValues.EXACT) {
            return exact >= exactLow && exact <= exactHigh;
        }
        if (kind == SlotValues.DOUBLE) {
            return approximate >= doubleLow && approximate <= doubleHigh;
        }
        return kind == SlotValues.FLOAT && approximate >= floatLow && approximate <= floatHigh;
    }

    private NumberRange range() {
        return new NumberRange(exactLow, exactHigh, floatLow, floatHigh, doubleLow, doubleHigh);
    }

    /// A condition on the name, which is that of the slot, that is TRUE exactly if this is.
    public Condition condition(Identifier identifier) {
        return RangeCondition.of(identifier, range());
    }

    /// No accepted number, as a double, is below this.
    public double low() {
        return range().low();
    }

    /// No accepted number, as a double, is above this.
    public double high() {
        return range().high();
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

    /// Whether numbers that equal [#lowFloat] are not too low and those that equal [#highFloat] are
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

    /// Whether there are [#points].
    public boolean hasPoints() {
        return range().hasPoints();
    }

    /// All accepted numbers, as doubles, if they are very few, as for an equality; else none.
    public double[] points() {
        return range().points();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberInRange that
                && slot == that.slot
                && range().equals(that.range());
    }

    @Override
    public int hashCode() {
        return 31 * slot + range().hashCode();
    }
}
