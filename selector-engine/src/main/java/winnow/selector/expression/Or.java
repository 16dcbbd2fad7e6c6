package winnow.selector.expression;

import java.util.ArrayList;
import java.util.List;

/// Disjunction of two or more conditions, flat: `a OR (b OR c) -> a OR b OR c`, which also holds
/// for UNKNOWN because OR is a maximum.
public record Or(List<Condition> operands) implements Condition {

    public Or {
        List<Condition> flat = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            if (operand instanceof Or(List<Condition> nested)) {
                flat.addAll(nested);
            } else {
                flat.add(operand);
            }
        }
        operands = List.copyOf(flat);
        if (operands.size() < 2) {
            throw new IllegalArgumentException("OR needs two operands");
        }
    }
}
