package winnow.selector.simplify;

import java.util.List;
import winnow.selector.compile.NumberBounds;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;

/// `x BETWEEN 5 AND 3 -> FALSE`. T only: it is UNKNOWN if x is missing. Its NOT stays, which is
/// TRUE for whatever x is.
final class EmptyInterval implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return node instanceof Between
                        && NumberBounds.nameOf(node) != null
                        && NumberBounds.range(List.of(node)).isEmpty()
                ? new BooleanLiteral(false)
                : node;
    }
}
