package winnow.selector.compile;

import java.util.List;
import winnow.selector.SlotValues;

/// True if one operand is; stops at the first that is.
final class AnyOf extends Predicate {

    private final Predicate[] operands;

    AnyOf(List<Predicate> operands) {
        this.operands = operands.toArray(Predicate[]::new);
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
}
