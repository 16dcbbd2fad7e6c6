package winnow.selector.simplify;

import java.util.List;
import java.util.SortedSet;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Or;

/// `x = 'a' OR x IN ('b', 'c') -> x IN ('a', 'b', 'c')`, and `x <not in A> AND x <not in B> -> x
/// <not in A and B>`. Holds for UNKNOWN: both sides are UNKNOWN exactly if x is missing. Strings
/// only, as IN is.
final class MergeEqualities implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case Or(List<Condition> operands) when Equalities.mayJoin(operands, false) ->
                    CanonicalForm.or(Equalities.joined(operands, false, MergeEqualities::union));
            case And(List<Condition> operands) when Equalities.mayJoin(operands, true) ->
                    CanonicalForm.and(Equalities.joined(operands, true, MergeEqualities::union));
            default -> node;
        };
    }

    private static SortedSet<String> union(SortedSet<String> a, SortedSet<String> b) {
        a.addAll(b);
        return a;
    }
}
