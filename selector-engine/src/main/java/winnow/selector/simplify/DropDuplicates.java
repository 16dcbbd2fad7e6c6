package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Or;

/// `a AND a -> a`, `a OR a -> a`. Holds for UNKNOWN: minimum and maximum of equal values.
final class DropDuplicates implements Rule {

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
        return new ArrayList<>(new LinkedHashSet<>(operands));
    }
}
