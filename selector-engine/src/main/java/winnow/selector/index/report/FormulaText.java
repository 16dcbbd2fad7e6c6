package winnow.selector.index.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.StringLiteral;
import winnow.selector.index.term.CellTerm;
import winnow.selector.index.term.ConstantTerm;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.NumberTerm;
import winnow.selector.index.term.PredicateTerm;
import winnow.selector.index.term.RangeTerm;
import winnow.selector.index.term.Term;
import winnow.selector.slot.Slots;

/// Formulas as selectors again, so that no text needs to be kept. Identical formulas give one text.
/// Writer only.
final class FormulaText {

    private final Slots slots;

    FormulaText(Slots slots) {
        this.slots = slots;
    }

    String of(Formula formula) {
        return switch (formula) {
            case Formula.AllOf all -> all.operands().isEmpty() ? "TRUE" : joined(all.operands());
            case Formula.AnyOf any ->
                    any.operands().isEmpty()
                            ? "FALSE"
                            : any.operands().stream()
                                    .map(this::of)
                                    .sorted()
                                    .collect(Collectors.joining(" OR "));
            case Term term -> of(term);
        };
    }

    private String joined(List<Formula> operands) {
        return operands.stream()
                .map(operand ->
                        operand instanceof Formula.AnyOf ? "(" + of(operand) + ")" : of(operand))
                .sorted()
                .collect(Collectors.joining(" AND "));
    }

    private String of(Term term) {
        Identifier name = new Identifier(slots.nameOf(term.probe.slot()));
        return switch (term) {
            case ConstantTerm constant -> {
                String value = slots.constantOf(term.probe.slot(), constant.constant());
                StringLiteral literal = new StringLiteral(value);
                yield ExpressionPrinter.print(
                        new Comparison(name, ComparisonOperator.EQUAL, literal));
            }
            case NumberTerm number -> of(number.range());
            case RangeTerm range -> ExpressionPrinter.print(range.range().condition(name));
            case PredicateTerm predicate ->
                    switch (predicate.identity()) {
                        case Condition condition -> ExpressionPrinter.print(condition);
                        default -> name.name() + " is present, but not a number";
                    };
            case CellTerm cell -> of(cell, name);
            default -> throw new IllegalArgumentException("no text for " + term.getClass());
        };
    }

    /// Bounds that the numbers of a group share; ranges are found by the groups that they lie in.
    private static String of(CellTerm cell, Identifier name) {
        List<String> bounds = new ArrayList<>();
        if (Double.isFinite(cell.lowest())) {
            bounds.add(bound(name, ComparisonOperator.GREATER_OR_EQUAL, cell.lowest()));
        }
        if (Double.isFinite(cell.limit())) {
            bounds.add(bound(name, ComparisonOperator.LESS, cell.limit()));
        }
        String condition =
                bounds.isEmpty() ? name.name() + " is a number" : String.join(" AND ", bounds);
        return condition + " (a group of ranges)";
    }

    private static String bound(Identifier name, ComparisonOperator operator, double bound) {
        NumberLiteral literal =
                bound == Math.rint(bound) && Math.abs(bound) < 1L << 53
                        ? new LongLiteral((long) bound)
                        : new DoubleLiteral(bound);
        return ExpressionPrinter.print(new Comparison(name, operator, literal));
    }
}
