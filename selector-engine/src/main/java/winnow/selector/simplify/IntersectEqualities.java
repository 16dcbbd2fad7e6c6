package winnow.selector.simplify;

import java.util.List;
import java.util.SortedSet;
import winnow.selector.expression.And;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;

/// `x IN A AND x IN B -> x IN (A and B)`, which holds for UNKNOWN unless nothing is left: `x = 'a'
/// AND x = 'b' -> FALSE`. T only: it is UNKNOWN if x is missing.
final class IntersectEqualities implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        if (!(node instanceof And(List<Condition> operands))
                || !Equalities.mayJoin(operands, false)) {
            return node;
        }
        List<Condition> joined =
                Equalities.joined(operands, false, IntersectEqualities::intersection);
        BooleanLiteral never = new BooleanLiteral(false);
        return joined.contains(never) ? never : CanonicalForm.and(joined);
    }

    private static SortedSet<String> intersection(SortedSet<String> a, SortedSet<String> b) {
        a.retainAll(b);
        return a;
    }
}
