package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// `T(identifier = 'constant')`: one comparison of numbers, as the string was looked up before.
final class StringEquals extends Predicate {

    private final int slot;
    private final int constant;

    StringEquals(int slot, int constant) {
        this.slot = slot;
        this.constant = constant;
    }

    int constant() {
        return constant;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.constant(slot) == constant;
    }

    @Override
    Shape shape() {
        return new Shape.StringIs(slot, constant);
    }
}
