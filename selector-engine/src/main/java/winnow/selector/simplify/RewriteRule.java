package winnow.selector.simplify;

import winnow.selector.expression.Condition;

/// One rewrite of one node, whose operands are already in canonical form. What it does not apply to
/// it returns as it is.
@FunctionalInterface
interface RewriteRule {

    Condition apply(Condition node);
}
