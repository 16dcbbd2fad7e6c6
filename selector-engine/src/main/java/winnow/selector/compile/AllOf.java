package winnow.selector.compile;

import java.util.List;
import winnow.selector.SlotValues;

/// True if all operands are; stops at the first that is not.
final class AllOf extends Predicate {

    private final Predicate[] operands;

    AllOf(List<Predicate> operands) {
        this.operands = operands.toArray(Predicate[]::new);
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
}
