package winnow.selector.compile;

import java.util.List;
import winnow.selector.slot.SlotValues;

/// True if all operands are; stops at the first that is not.
final class AllOf extends Joined {

    AllOf(List<Predicate> operands) {
        super(operands);
    }

    @Override
    public boolean test(SlotValues values) {
        for (Predicate operand : operands) {
            if (!operand.test(values)) {
                return false;
            }
        }
        return true;
    }

    @Override
    Shape shape() {
        return new Shape.All(Predicate.shapes(operands));
    }

    @Override
    public boolean isConjunction() {
        return true;
    }
}
