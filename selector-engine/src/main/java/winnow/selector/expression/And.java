package winnow.selector.expression;

import java.util.ArrayList;
import java.util.List;

/// Conjunction of two or more conditions, flat: `a AND (b AND c) -> a AND b AND c`, which also
/// holds for UNKNOWN because AND is a minimum.
public record And(List<Condition> operands) implements Condition {

    public And {
        operands = List.copyOf(isFlat(operands) ? operands : flat(operands));
        if (operands.size() < 2) {
            throw new IllegalArgumentException("AND needs two operands");
        }
    }

    private static boolean isFlat(List<Condition> operands) {
        for (Condition operand : operands) {
            if (operand instanceof And) {
                return false;
            }
        }
        return true;
    }

    private static List<Condition> flat(List<Condition> operands) {
        List<Condition> flat = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            if (operand instanceof And(List<Condition> nested)) {
                flat.addAll(nested);
            } else {
                flat.add(operand);
            }
        }
        return flat;
    }
}
