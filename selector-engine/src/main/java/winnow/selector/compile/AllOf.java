package winnow.selector.compile;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.slot.SlotValues;

/// True if all operands are; stops at the first that is not.
final class AllOf extends Joined {

    private AllOf(List<Predicate> operands) {
        super(operands);
    }

    /// The same without constants.
    static Predicate of(List<Predicate> operands) {
        List<Predicate> rest = new ArrayList<>(operands);
        rest.removeIf(operand -> operand.equals(ALWAYS));
        return switch (rest.size()) {
            case 0 -> ALWAYS;
            case 1 -> rest.getFirst();
            default -> rest.contains(NEVER) ? NEVER : new AllOf(rest);
        };
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
