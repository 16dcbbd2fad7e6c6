package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Or;

/// TRUE and FALSE are the ends of the order that AND and OR take minimum and maximum in, so all
/// equations hold for UNKNOWN:
///
/// ```
/// a AND TRUE -> a      a AND FALSE -> FALSE      a OR FALSE -> a      a OR TRUE -> TRUE
/// ```
final class AbsorbLiterals implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case And(List<Condition> operands) when hasLiteral(operands) -> {
                List<Condition> rest = without(operands, true);
                yield rest.contains(new BooleanLiteral(false))
                        ? new BooleanLiteral(false)
                        : CanonicalForm.and(rest);
            }
            case Or(List<Condition> operands) when hasLiteral(operands) -> {
                List<Condition> rest = without(operands, false);
                yield rest.contains(new BooleanLiteral(true))
                        ? new BooleanLiteral(true)
                        : CanonicalForm.or(rest);
            }
            default -> node;
        };
    }

    private static boolean hasLiteral(List<Condition> operands) {
        for (Condition operand : operands) {
            if (operand instanceof BooleanLiteral) {
                return true;
            }
        }
        return false;
    }

    private static List<Condition> without(List<Condition> operands, boolean neutral) {
        List<Condition> rest = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            if (!(operand instanceof BooleanLiteral(boolean value) && value == neutral)) {
                rest.add(operand);
            }
        }
        return rest;
    }
}
