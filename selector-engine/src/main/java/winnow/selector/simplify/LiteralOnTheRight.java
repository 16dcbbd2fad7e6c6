package winnow.selector.simplify;

import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Literal;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;

/// `5 < x -> x > 5`. Holds for UNKNOWN: promotion does not depend on the side.
final class LiteralOnTheRight implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case Not(Comparison comparison) -> new Not(turned(comparison));
            case Comparison comparison -> turned(comparison);
            default -> node;
        };
    }

    private static Comparison turned(Comparison comparison) {
        Operand left = comparison.left();
        Operand right = comparison.right();
        boolean turn = left instanceof Literal && !(right instanceof Literal);
        return turn
                ? new Comparison(
                        /* left= */ right, comparison.operator().mirrored(), /* right= */ left)
                : comparison;
    }
}
