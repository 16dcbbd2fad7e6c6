package winnow.selector.compile;

import org.jspecify.annotations.Nullable;
import winnow.selector.slot.SlotValues;

/// `F(atom) = present & !T(atom)`, for every atom that is UNKNOWN exactly if its one slot is
/// missing.
public final class PresentUnless extends Predicate {

    private final int slot;
    private final Predicate whenTrue;

    PresentUnless(int slot, Predicate whenTrue) {
        this.slot = slot;
        this.whenTrue = whenTrue;
    }

    /// The constants of which the value must be none; null if it must not be something else.
    /// Borrowed.
    public int @Nullable [] constants() {
        return switch (whenTrue) {
            case StringIn in -> in.constants();
            case StringEquals equals -> new int[] {equals.constant()};
            default -> null;
        };
    }

    /// The numbers of which the value must be none; null if it must not be something else.
    public @Nullable NumberRange range() {
        return whenTrue instanceof NumberInRange range
                ? NumberInRange.range(range.low(), range.high(), range.differing())
                : null;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.isPresent(slot) && !whenTrue.test(values);
    }

    @Override
    Shape shape() {
        return new Shape.PresentUnless(slot, whenTrue.shape());
    }
}
