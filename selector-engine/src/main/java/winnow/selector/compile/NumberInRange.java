package winnow.selector.compile;

import winnow.selector.SlotValues;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;

/// `T(identifier op number)` for every operator but `<>`, and BETWEEN. Equal to another over the
/// same slot that accepts the same numbers.
public final class NumberInRange extends Predicate {

    private final int slot;
    private final NumberRange range;

    NumberInRange(int slot, NumberRange range) {
        this.slot = slot;
        this.range = range;
    }

    @Override
    public boolean test(SlotValues values) {
        return range.contains(values, slot);
    }

    /// A condition on the name, which is that of the slot, that is TRUE exactly if this is.
    public Condition condition(Identifier identifier) {
        return RangeCondition.of(identifier, range);
    }

    /// No accepted number, as a double, is below this.
    public double low() {
        return range.low();
    }

    /// No accepted number, as a double, is above this.
    public double high() {
        return range.high();
    }

    /// All accepted numbers, as doubles, if they are very few, as for an equality; else none.
    public double[] points() {
        return range.points();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberInRange that && slot == that.slot && range.equals(that.range);
    }

    @Override
    public int hashCode() {
        return 31 * slot + range.hashCode();
    }

    @Override
    Shape shape() {
        return new Shape.NumberIn(slot, range);
    }
}
