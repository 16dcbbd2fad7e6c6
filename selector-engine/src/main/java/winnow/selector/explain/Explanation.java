package winnow.selector.explain;

import java.util.List;
import winnow.selector.Selector;
import winnow.selector.expression.ExpressionPrinter;

/// What can be said about a selector without a message.
///
/// @param canonical the selector in canonical form
/// @param formula the two-valued formula that is evaluated, see [TruthFormula]
/// @param atoms the distinct atoms, in the order of the text
public record Explanation(
        String canonical, String formula, List<String> atoms, List<Warning> warnings) {

    public Explanation {
        atoms = List.copyOf(atoms);
        warnings = List.copyOf(warnings);
    }

    public static Explanation of(Selector selector) {
        var condition = selector.expression();
        return new Explanation(
                ExpressionPrinter.print(condition),
                TruthFormula.of(condition),
                Evaluation.atomsOf(condition).stream().map(ExpressionPrinter::print).toList(),
                Warnings.of(condition));
    }
}
