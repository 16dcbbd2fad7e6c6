package winnow.selector.compile;

import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;

/// `T(identifier = 'constant')`: one comparison of numbers, as the string was looked up before.
final class StringEquals extends Predicate {

    private final int slot;

    /// The [ValueCode] of the constant.
    private final int code;

    StringEquals(int slot, int constant) {
        this.slot = slot;
        this.code = ValueCode.ofConstant(constant);
    }

    int constant() {
        return ValueCode.constant(code);
    }

    @Override
    public boolean test(SlotValues values) {
        return values.code(slot) == code;
    }

    @Override
    Shape shape() {
        return new Shape.StringIs(slot, constant());
    }
}
