package winnow.selector.expression;

import java.util.ArrayList;
import java.util.List;

/// Disjunction of two or more conditions, flat: `a OR (b OR c) -> a OR b OR c`, which also holds
/// for UNKNOWN because OR is a maximum.
public record Or(List<Condition> operands) implements Condition {

    public Or {
        operands = List.copyOf(isFlat(operands) ? operands : flat(operands));
        if (operands.size() < 2) {
            throw new IllegalArgumentException("OR needs two operands");
        }
    }

    private static boolean isFlat(List<Condition> operands) {
        for (Condition operand : operands) {
            if (operand instanceof Or) {
                return false;
            }
        }
        return true;
    }

    private static List<Condition> flat(List<Condition> operands) {
        List<Condition> flat = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            if (operand instanceof Or(List<Condition> nested)) {
                flat.addAll(nested);
            } else {
                flat.add(operand);
            }
        }
        return flat;
    }
}
