package winnow.selector.simplify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Or;

/// `a AND a -> a`, `a OR a -> a`. Holds for UNKNOWN: minimum and maximum of equal values.
final class DropDuplicates implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case And(List<Condition> operands) when mayRepeat(operands) ->
                    CanonicalForm.and(distinct(operands));
            case Or(List<Condition> operands) when mayRepeat(operands) ->
                    CanonicalForm.or(distinct(operands));
            default -> node;
        };
    }

    private static boolean mayRepeat(List<Condition> operands) {
        return CanonicalForm.mayHave(operands, Object::equals);
    }

    private static List<Condition> distinct(List<Condition> operands) {
        // By text: a set of conditions takes long if many have one hash, a map of strings does not.
        Map<String, Condition> byText = new LinkedHashMap<>();
        for (Condition operand : operands) {
            byText.putIfAbsent(ExpressionPrinter.print(operand), operand);
        }
        return List.copyOf(byText.values());
    }
}
