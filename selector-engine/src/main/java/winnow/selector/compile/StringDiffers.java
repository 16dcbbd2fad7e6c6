package winnow.selector.compile;

import java.util.List;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;

/// `T(identifier <> 'constant')`: FALSE for what is not a string.
public final class StringDiffers extends Predicate {

    private final int slot;

    /// The [ValueCode] of the constant.
    private final int code;

    StringDiffers(int slot, int constant) {
        this.slot = slot;
        this.code = ValueCode.ofConstant(constant);
    }

    public int slot() {
        return slot;
    }

    /// The constant that the value must not be.
    public int constant() {
        return ValueCode.constant(code);
    }

    @Override
    public boolean test(SlotValues values) {
        return values.code(slot) != code && values.kind(slot) == SlotValues.STRING;
    }

    @Override
    Shape shape() {
        return new Shape.All(
                List.of(
                        new Shape.KindIs(slot, SlotValues.STRING, true),
                        new Shape.PresentUnless(slot, new Shape.StringIs(slot, constant()))));
    }
}
