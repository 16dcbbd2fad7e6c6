package winnow.selector.explain;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Like;
import winnow.selector.expression.Not;
import winnow.selector.index.Plan;

/// What to write instead of a part that no index finds. Such a part is tested once for each message
/// that has the name, for all subscribers together. That costs little for one selector, but adds up
/// if many selectors have different such parts.
final class Advice {

    private Advice() {}

    static List<String> on(Plan plan) {
        SequencedSet<String> advice = new LinkedHashSet<>();
        for (Plan.Key key : plan.keys()) {
            if (key.kind() == Plan.Kind.SCAN) {
                advice.add(ExpressionPrinter.print(key.atom()) + ": " + instead(key.atom()));
            }
        }
        return new ArrayList<>(advice);
    }

    private static String instead(Condition leaf) {
        return switch (leaf) {
            case Not(Atom _) -> "not indexable; join it by AND to what the subscriber does want";
            case Like _ ->
                    "not indexable, because the pattern has only wildcards; put some text between"
                            + " them";
            case Comparison comparison -> instead(comparison);
            default -> "not indexable; one test for all subscribers that have it";
        };
    }

    private static String instead(Comparison comparison) {
        SequencedSet<Identifier> names = new LinkedHashSet<>();
        Warnings.identifiersOf(comparison.left(), names);
        Warnings.identifiersOf(comparison.right(), names);
        if (names.size() > 1) {
            return "not indexable, because it compares two properties; let the producer set their"
                    + " difference or the result as a property";
        }
        if (comparison.operator() == ComparisonOperator.NOT_EQUAL) {
            return "not indexable; join it by AND to what the subscriber does want";
        }
        return "not indexable, because of the arithmetic; compare the property itself with a"
                + " number";
    }
}
