package winnow.selector.simplify;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import winnow.selector.expression.And;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Not;

/// `a AND NOT a -> FALSE`. T only: it is UNKNOWN if a is, but nothing is TRUE and FALSE at once.
/// The mirror image, `a OR NOT a -> TRUE`, is wrong, because a may be UNKNOWN.
final class Contradiction implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        if (!(node instanceof And(List<Condition> operands)) || !hasNot(operands)) {
            return node;
        }
        // By text: a set of conditions takes long if many have one hash, a set of strings does not.
        Set<String> all = new HashSet<>();
        operands.forEach(operand -> all.add(ExpressionPrinter.print(operand)));
        for (Condition operand : operands) {
            if (operand instanceof Not(Condition negated)
                    && all.contains(ExpressionPrinter.print(negated))) {
                return new BooleanLiteral(false);
            }
        }
        return node;
    }

    private static boolean hasNot(List<Condition> operands) {
        for (Condition operand : operands) {
            if (operand instanceof Not) {
                return true;
            }
        }
        return false;
    }
}
