package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Or;

/// `b AND a -> a AND b`, `b OR a -> a OR b`, by text. Holds for UNKNOWN: minimum and maximum do not
/// care for order, and no atom fails.
final class SortOperands implements Rule {

    /// An operand with the text that is compared, printed once.
    private record Printed(String text, Condition operand) {}

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case And(List<Condition> operands) -> CanonicalForm.and(sorted(operands));
            case Or(List<Condition> operands) -> CanonicalForm.or(sorted(operands));
            default -> node;
        };
    }

    private static List<Condition> sorted(List<Condition> operands) {
        List<Printed> printed = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            printed.add(new Printed(ExpressionPrinter.print(operand), operand));
        }
        printed.sort(Comparator.comparing(Printed::text));
        List<Condition> sorted = new ArrayList<>(operands.size());
        for (Printed each : printed) {
            sorted.add(each.operand());
        }
        return sorted;
    }
}
