package winnow.selector.explain;

import java.util.List;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.index.report.Plan;
import winnow.selector.simplify.CanonicalForm;

/// Facts about a selector that need no message.
///
/// @param canonical the selector as the parser understood it
/// @param formula the two-valued formula that is evaluated, see [TruthFormula]
/// @param atoms the distinct atoms, in the order of the text
/// @param simplified the form that equal selectors have in common
/// @param plan how the index finds it
/// @param advice what to write instead of parts that the index cannot find
public record Explanation(
        String canonical,
        String formula,
        List<String> atoms,
        List<Warning> warnings,
        String simplified,
        Plan plan,
        List<String> advice) {

    public Explanation {
        atoms = List.copyOf(atoms);
        warnings = List.copyOf(warnings);
        advice = List.copyOf(advice);
    }

    /// Not so for correlation-ID filters.
    private static boolean isTextOf(Condition condition, String text) {
        try {
            return Selector.parse(text, SelectorLimits.ACCEPTED).expression().equals(condition);
        } catch (InvalidSelectorSyntaxException _) {
            return false;
        }
    }

    public static Explanation of(Selector selector) {
        Condition condition = selector.expression();
        Condition simplified = CanonicalForm.of(condition);
        Plan plan = Plan.of(simplified);
        return new Explanation(
                ExpressionPrinter.print(condition),
                TruthFormula.of(condition),
                Evaluation.atomsOf(condition).stream().map(ExpressionPrinter::print).toList(),
                Warnings.of(
                        condition, isTextOf(condition, selector.text()) ? selector.text() : null),
                ExpressionPrinter.print(simplified),
                plan,
                Advice.on(plan));
    }
}
