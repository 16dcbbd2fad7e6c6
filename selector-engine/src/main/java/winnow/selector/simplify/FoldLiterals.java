package winnow.selector.simplify;

import java.util.List;
import winnow.selector.compile.SelectorCompiler;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Literal;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Signed;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// An atom that names nothing has one value, whatever the message: `1 + 1 = 2 -> TRUE`, `2 = 3 ->
/// FALSE`. T only: `1 / 0 = 1` is UNKNOWN and becomes FALSE, and so does its NOT.
final class FoldLiterals implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case Not(Atom atom) when isConstant(atom) -> folded(node);
            case Atom atom when isConstant(atom) -> folded(node);
            default -> node;
        };
    }

    private static Condition folded(Condition node) {
        Slots slots = new Slots();
        SlotValues nothing = new SlotValues();
        nothing.reset(slots);
        return new BooleanLiteral(new SelectorCompiler(slots).whenTrue(node).test(nothing));
    }

    private static boolean isConstant(Atom atom) {
        return switch (atom) {
            case Comparison(Operand left, var _, Operand right) ->
                    isConstant(left) && isConstant(right);
            case Between(Operand value, Operand low, Operand high, var _) ->
                    isConstant(value) && isConstant(low) && isConstant(high);
            default -> false;
        };
    }

    private static boolean isConstant(Operand operand) {
        return switch (operand) {
            case Literal _ -> true;
            case Identifier _ -> false;
            case Signed(var _, Operand inner) -> isConstant(inner);
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) ->
                    isConstant(first)
                            && steps.stream().allMatch(step -> isConstant(step.operand()));
        };
    }
}
