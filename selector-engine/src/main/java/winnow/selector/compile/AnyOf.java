package winnow.selector.compile;

import java.util.List;
import winnow.selector.slot.SlotValues;

/// True if one operand is; stops at the first that is.
final class AnyOf extends Joined {

    AnyOf(List<Predicate> operands) {
        super(operands);
    }

    @Override
    public boolean test(SlotValues values) {
        for (Predicate operand : operands) {
            if (operand.test(values)) {
                return true;
            }
        }
        return false;
    }

    @Override
    Shape shape() {
        return new Shape.Any(Predicate.shapes(operands));
    }

    @Override
    public boolean isConjunction() {
        return false;
    }
}
