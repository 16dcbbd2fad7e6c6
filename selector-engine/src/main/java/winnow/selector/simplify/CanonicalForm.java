package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Or;
import winnow.selector.expression.StringLiteral;

/// The one form for conditions that are TRUE for the same messages, as far as the rules see it. It
/// has NOT only before atoms, no AND in an AND and no OR in an OR, no TRUE or FALSE but as a whole,
/// and its operands are sorted. FALSE and UNKNOWN may have changed places; TRUE never moves.
public final class CanonicalForm {

    /// None applies to a leaf that [#isNameAndLiteral] is true for.
    static final List<RewriteRule> OF_LEAVES =
            List.of(
                    new FoldArithmetic(),
                    new LiteralOnTheRight(),
                    new PlainEquality(),
                    new FoldLiterals(),
                    new EmptyInterval());

    private static final SortOperands SORT = new SortOperands();

    /// Only the last one applies to operands that begin with different names
    /// ([SortOperands#haveDifferentNames]): the others look for one name in two operands, for NOT,
    /// or for TRUE and FALSE.
    static final List<RewriteRule> OF_OPERANDS =
            List.of(
                    new AbsorbLiterals(),
                    new MergeBounds(),
                    new DropDuplicates(),
                    new MergeEqualities(),
                    new IntersectEqualities(),
                    new Contradiction(),
                    SORT);

    /// So few operands are compared each with each, as it needs no set: most selectors have two or
    /// three, to which no rule applies.
    private static final int FEW = 8;

    private CanonicalForm() {}

    public static Condition of(Condition condition) {
        return simplified(NegationNormalForm.of(condition));
    }

    private static Condition simplified(Condition node) {
        if (isNameAndLiteral(node)) {
            return node;
        }
        return switch (node) {
            case And _, Or _ -> {
                Condition junction = withSimplifiedOperands(node);
                yield SortOperands.haveDifferentNames(operands(junction))
                        ? SORT.apply(junction)
                        : apply(OF_OPERANDS, junction);
            }
            case Not _, Atom _ -> apply(OF_LEAVES, node);
        };
    }

    /// True if a name is compared with a string or a number, as in most leaves.
    private static boolean isNameAndLiteral(Condition node) {
        return node instanceof Comparison comparison
                && comparison.left() instanceof Identifier
                && (comparison.right() instanceof StringLiteral
                        || comparison.right() instanceof NumberLiteral);
    }

    @SuppressWarnings("ReferenceEquality") // What nothing changes is returned as it is.
    private static Condition withSimplifiedOperands(Condition junction) {
        List<Condition> operands = operands(junction);
        List<Condition> simplified = replaced(operands, CanonicalForm::simplified);
        if (simplified == operands) {
            return junction;
        }
        return junction instanceof And ? and(simplified) : or(simplified);
    }

    /// The operands after a change, or the same list if it changes none of them.
    @SuppressWarnings("ReferenceEquality") // A change returns what it leaves alone as it is.
    static List<Condition> replaced(List<Condition> operands, UnaryOperator<Condition> change) {
        List<Condition> replaced = operands;
        for (int i = 0; i < operands.size(); i++) {
            Condition result = change.apply(operands.get(i));
            if (result != operands.get(i)) {
                replaced = replaced == operands ? new ArrayList<>(operands) : replaced;
                replaced.set(i, result);
            }
        }
        return replaced;
    }

    private static List<Condition> operands(Condition junction) {
        return junction instanceof And and ? and.operands() : ((Or) junction).operands();
    }

    private static Condition apply(List<RewriteRule> rules, Condition node) {
        Condition result = node;
        for (RewriteRule rule : rules) {
            result = rule.apply(result);
        }
        return result;
    }

    /// True if two operands are alike; may be wrong for many of them, but only in saying that some
    /// are.
    static boolean mayHave(List<Condition> operands, BiPredicate<Condition, Condition> alike) {
        if (operands.size() > FEW) {
            return true;
        }
        for (int i = 1; i < operands.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (alike.test(operands.get(i), operands.get(j))) {
                    return true;
                }
            }
        }
        return false;
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
