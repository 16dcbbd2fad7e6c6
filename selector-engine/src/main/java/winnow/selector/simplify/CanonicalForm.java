package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;

/// The one form for conditions that are TRUE for the same messages, as far as the rules see it. It
/// has NOT only before atoms, no AND in an AND and no OR in an OR, no TRUE or FALSE but as a whole,
/// and its operands are sorted. FALSE and UNKNOWN may have changed places; TRUE never moves.
public final class CanonicalForm {

    private static final List<Rule> OF_LEAVES =
            List.of(new LiteralOnTheRight(), new PlainEquality(), new FoldLiterals());

    private static final List<Rule> OF_OPERANDS =
            List.of(
                    new AbsorbLiterals(),
                    new MergeBounds(),
                    new DropDuplicates(),
                    new MergeEqualities(),
                    new IntersectEqualities(),
                    new Contradiction(),
                    new SortOperands());

    private CanonicalForm() {}

    public static Condition of(Condition condition) {
        return simplified(NegationNormalForm.of(condition));
    }

    private static Condition simplified(Condition node) {
        return switch (node) {
            case And(List<Condition> operands) -> apply(OF_OPERANDS, and(simplified(operands)));
            case Or(List<Condition> operands) -> apply(OF_OPERANDS, or(simplified(operands)));
            case Not _, Atom _ -> apply(OF_LEAVES, node);
        };
    }

    private static List<Condition> simplified(List<Condition> operands) {
        List<Condition> simplified = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            simplified.add(simplified(operand));
        }
        return simplified;
    }

    private static Condition apply(List<Rule> rules, Condition node) {
        Condition result = node;
        for (Rule rule : rules) {
            result = rule.apply(result);
        }
        return result;
    }

    /// The conjunction of any number of conditions: that of none is TRUE.
    static Condition and(List<Condition> operands) {
        return switch (operands.size()) {
            case 0 -> new BooleanLiteral(true);
            case 1 -> operands.getFirst();
            default -> new And(operands);
        };
    }

    /// The disjunction of any number of conditions: that of none is FALSE.
    static Condition or(List<Condition> operands) {
        return switch (operands.size()) {
            case 0 -> new BooleanLiteral(false);
            case 1 -> operands.getFirst();
            default -> new Or(operands);
        };
    }
}
