package winnow.selector.compile;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.selector.slot.SlotValues;

/// `T(identifier op number)` for every operator but `<>`, and BETWEEN. Equal to another over the
/// same slot that accepts the same numbers.
///
/// Its methods without an instance serve those that keep a range in their own fields, as the terms
/// of an index do: the bounds for doubles, and the whole range only if it is differing.
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

    /// The lower bound for doubles.
    public double low() {
        return low;
    }

    /// The upper bound for doubles.
    public double high() {
        return high;
    }

    /// The range if it has other bounds for numbers of other types, else null.
    public @Nullable NumberRange differing() {
        return differing;
    }

    /// The range with these bounds.
    public static NumberRange range(double low, double high, @Nullable NumberRange differing) {
        return differing == null ? NumberRange.ofAllTypes(low, high) : differing;
    }

    @Override
    public boolean test(SlotValues values) {
        return test(values, slot, low, high, differing);
    }

    /// True if a slot's value is a number within these bounds.
    public static boolean test(
            SlotValues values, int slot, double low, double high, @Nullable NumberRange differing) {
        byte kind = values.kind(slot);
        return holds(kind, values.exact(slot), values.approximate(slot), low, high, differing);
    }

    /// @param exact the number if its kind is EXACT
    /// @param approximate the number if its kind is FLOAT or DOUBLE
    boolean holds(byte kind, long exact, double approximate) {
        return holds(kind, exact, approximate, low, high, differing);
    }

    private static boolean holds(
            byte kind,
            long exact,
            double approximate,
            double low,
            double high,
            @Nullable NumberRange differing) {
        if (differing != null) {
            return differing.holds(kind, exact, approximate);
        }
        return switch (kind) {
            case SlotValues.EXACT -> exact >= low && exact <= high;
            case SlotValues.FLOAT, SlotValues.DOUBLE -> approximate >= low && approximate <= high;
            default -> false;
        };
    }

    /// True if it is over this slot and has these bounds.
    public boolean has(
            int otherSlot,
            double otherLow,
            double otherHigh,
            @Nullable NumberRange otherDiffering) {
        return slot == otherSlot
                && Double.compare(low, otherLow) == 0
                && Double.compare(high, otherHigh) == 0
                && Objects.equals(differing, otherDiffering);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberInRange that
                && has(that.slot, that.low, that.high, that.differing);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * slot + Double.hashCode(low)) + Double.hashCode(high);
    }
}
