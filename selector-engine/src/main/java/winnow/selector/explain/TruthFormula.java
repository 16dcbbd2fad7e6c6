package winnow.selector.explain;

import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;

/// The two-valued formula that is evaluated for a selector, as text: `T(a)` asks whether the atom a
/// is TRUE, `F(a)` whether it is FALSE; `&` and `|` stop at the first operand that decides. See
/// [winnow.selector.compile] for the equations.
final class TruthFormula {

    private final StringBuilder text = new StringBuilder();

    private TruthFormula() {}

    static String of(Condition condition) {
        TruthFormula formula = new TruthFormula();
        formula.append(condition, true, false);
        return formula.text.toString();
    }

    private void append(Condition condition, boolean truth, boolean insideAll) {
        switch (condition) {
            case And(List<Condition> operands) -> join(operands, truth, truth, insideAll);
            case Or(List<Condition> operands) -> join(operands, truth, !truth, insideAll);
            case Not(Condition operand) -> append(operand, !truth, insideAll);
            case Atom atom ->
                    text.append(truth ? "T(" : "F(")
                            .append(ExpressionPrinter.print(atom))
                            .append(')');
        }
    }

    private void join(List<Condition> operands, boolean truth, boolean all, boolean insideAll) {
        boolean parentheses = insideAll && !all;
        text.append(parentheses ? "(" : "");
        String separator = "";
        for (Condition operand : operands) {
            text.append(separator);
            append(operand, truth, all);
            separator = all ? " & " : " | ";
        }
        text.append(parentheses ? ")" : "");
    }
}
