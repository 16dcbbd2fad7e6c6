package winnow.selector.compile;

import java.util.List;
import winnow.selector.slot.SlotValues;

/// `T(identifier <> 'constant')`: FALSE for what is not a string.
public final class StringDiffers extends Predicate {

    private final int slot;
    private final int constant;

    StringDiffers(int slot, int constant) {
        this.slot = slot;
        this.constant = constant;
    }

    public int slot() {
        return slot;
    }

    /// The constant that the value must not be.
    public int constant() {
        return constant;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.constant(slot) != constant && values.kind(slot) == SlotValues.STRING;
    }

    @Override
    Shape shape() {
        return new Shape.All(
                List.of(
                        new Shape.KindIs(slot, SlotValues.STRING, true),
                        new Shape.PresentUnless(slot, new Shape.StringIs(slot, constant))));
    }
}
