package winnow.selector.compile;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.slot.SlotValues;

/// `T(identifier op number)` for every operator but `<>`, and BETWEEN. Equal to another over the
/// same slot that accepts the same numbers.
public final class NumberInRange extends Predicate {

    private final int slot;

    /// The bounds for doubles. They are here, because reading another object costs as much as the
    /// rest of a test.
    private final double low;

    private final double high;

    /// Null if the bounds are these for numbers of all types, as for nearly all ranges. With all
    /// bounds it would take 64 bytes instead of 32.
    private final @Nullable NumberRange differing;

    NumberInRange(int slot, NumberRange range) {
        this.slot = slot;
        this.low = range.doubleLow();
        this.high = range.doubleHigh();
        this.differing =
                NumberRange.isTheSameForAllTypes(low, high)
                                && range.equals(NumberRange.ofAllTypes(low, high))
                        ? null
                        : range;
    }

    @Override
    public boolean test(SlotValues values) {
        byte kind = values.kind(slot);
        return holds(kind, values.exact(slot), values.approximate(slot));
    }

    /// @param exact the number if its kind is EXACT
    /// @param approximate the number if its kind is FLOAT or DOUBLE
    boolean holds(byte kind, long exact, double approximate) {
        if (differing != null) {
            return differing.holds(kind, exact, approximate);
        }
        return switch (kind) {
            case SlotValues.EXACT -> exact >= low && exact <= high;
            case SlotValues.FLOAT, SlotValues.DOUBLE -> approximate >= low && approximate <= high;
            default -> false;
        };
    }

    private NumberRange range() {
        return differing == null ? NumberRange.ofAllTypes(low, high) : differing;
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
        return range().lowFloat();
    }

    /// The same for numbers that are too high, those above it.
    public float highFloat() {
        return range().highFloat();
    }

    /// Whether numbers that equal [#lowFloat] are not too low and those that equal [#highFloat] are
    /// not too high, if rounding to float does not change them.
    public boolean holdsItsFloats() {
        return range().holdsItsFloats();
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
                && Double.compare(low, that.low) == 0
                && Double.compare(high, that.high) == 0
                && Objects.equals(differing, that.differing);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * slot + Double.hashCode(low)) + Double.hashCode(high);
    }
}
