package winnow.selector.compile;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.slot.SlotValues;

/// True if one operand is; stops at the first that is.
final class AnyOf extends Joined {

    private AnyOf(List<Predicate> operands) {
        super(operands);
    }

    /// The same without constants.
    static Predicate of(List<Predicate> operands) {
        List<Predicate> rest = new ArrayList<>(operands);
        rest.removeIf(operand -> operand.equals(NEVER));
        return switch (rest.size()) {
            case 0 -> NEVER;
            case 1 -> rest.getFirst();
            default -> rest.contains(ALWAYS) ? ALWAYS : new AnyOf(rest);
        };
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
