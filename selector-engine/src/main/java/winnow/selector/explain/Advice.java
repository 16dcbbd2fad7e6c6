package winnow.selector.explain;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Like;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.report.Plan;

/// Texts to write instead of a part that no index finds. Such a part is tested once for each
/// message that has the name, for all subscribers together. That costs little for one selector, but
/// adds up if many selectors have different such parts.
final class Advice {

    private Advice() {}

    static List<String> on(Plan plan) {
        SequencedSet<String> advice = new LinkedHashSet<>();
        for (Plan.Key key : plan.keys()) {
            if (key.kind() == KeyKind.SCAN) {
                advice.add(ExpressionPrinter.print(key.atom()) + ": " + instead(key, plan));
            }
        }
        return new ArrayList<>(advice);
    }

    private static String instead(Plan.Key key, Plan plan) {
        Identifier name = numberOf(key.atom());
        return name == null ? instead(key.atom()) : onlyNumbers(key.atom(), name.name(), plan);
    }

    /// The name of NOT of a comparison with numbers, or of several such; null of anything else.
    private static @Nullable Identifier numberOf(Condition leaf) {
        return switch (leaf) {
            case And(List<Condition> refuted) -> numberOf(refuted.getFirst());
            case Not(Comparison(Identifier name, var operator, NumberLiteral _))
                    when operator.isOrdering() ->
                    name;
            case Not(Between(Identifier name, var _, var _, var _)) -> name;
            default -> null;
        };
    }

    private static String onlyNumbers(Condition leaf, String name, Plan plan) {
        String numbers =
                plan.keys().stream()
                        .filter(key -> key.kind() != KeyKind.SCAN && key.atom().equals(leaf))
                        .map(Plan.Key::text)
                        .collect(Collectors.joining(" OR "));
        String tested =
                ("also TRUE where %s is not a number, which is tested once for each message that"
                                + " has %s")
                        .formatted(name, name);
        return numbers.isEmpty()
                ? tested
                : "numbers are found by their range; "
                        + tested
                        + "; if only numbers are wanted, write "
                        + numbers;
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
