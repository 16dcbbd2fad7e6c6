package winnow.selector.simplify;

import static winnow.selector.expression.ComparisonOperator.GREATER_OR_EQUAL;
import static winnow.selector.expression.ComparisonOperator.LESS_OR_EQUAL;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberBounds;
import winnow.selector.compile.NumberRange;
import winnow.selector.expression.And;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;

/// The bounds of a name become one interval of numbers, with at most two comparisons:
///
/// ```
/// x >= a AND x <= b     -> x BETWEEN a AND b     x > 1 AND x > 2          -> x > 2
/// x > 1 AND NOT (x > 5) -> x > 1 AND x <= 5      x > 2 AND x < 1          -> FALSE
/// ```
///
/// The equations but the last hold for UNKNOWN; that is T only, because its left side is UNKNOWN if
/// x is missing. A bound under NOT, which alone accepts what is not a number, becomes a comparison
/// where another bound refuses that anyway.
final class MergeBounds implements RewriteRule {

    private static final Comparator<Comparison> BY_TEXT =
            Comparator.comparing(ExpressionPrinter::print);

    @Override
    public Condition apply(Condition node) {
        if (!(node instanceof And(List<Condition> operands)) || !mayMerge(operands)) {
            return node;
        }
        Map<Identifier, List<Comparison>> bounds = bounds(operands);
        List<Condition> result = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            Comparison refuted = NumberBounds.refuted(operand);
            Identifier name = NumberBounds.nameOf(refuted == null ? operand : refuted);
            List<Comparison> ofName = name == null ? null : bounds.get(name);
            if (ofName == null) {
                result.add(operand);
            } else if (refuted != null) {
                ofName.add(refuted);
            }
        }
        for (List<Comparison> ofName : bounds.values()) {
            NumberRange range = NumberBounds.range(ofName);
            if (range.isEmpty()) {
                return new BooleanLiteral(false);
            }
            result.addAll(needed(ofName, range));
        }
        return CanonicalForm.and(result);
    }

    /// True if two operands bound one name, one of them without NOT.
    private static boolean mayMerge(List<Condition> operands) {
        return CanonicalForm.mayHave(
                operands,
                (a, b) -> {
                    Identifier name = NumberBounds.nameOf(a);
                    Identifier other = NumberBounds.nameOf(b);
                    return name == null
                            ? other != null && isRefuted(other, a)
                            : name.equals(other) || isRefuted(name, b);
                });
    }

    private static boolean isRefuted(Identifier name, Condition operand) {
        Comparison refuted = NumberBounds.refuted(operand);
        return refuted != null && name.equals(refuted.left());
    }

    /// By name, the comparisons that are not under NOT.
    private static Map<Identifier, List<Comparison>> bounds(List<Condition> operands) {
        Map<Identifier, List<Comparison>> bounds = new LinkedHashMap<>();
        for (Condition operand : operands) {
            Identifier name = NumberBounds.nameOf(operand);
            if (name != null) {
                bounds.computeIfAbsent(name, _ -> new ArrayList<>())
                        .addAll(NumberBounds.comparisons(operand));
            }
        }
        return bounds;
    }

    /// Comparisons that accept the range together: one or two, or all if their literals are of
    /// types that bound each other's numbers.
    private static List<Condition> needed(List<Comparison> comparisons, NumberRange range) {
        Comparison both = first(comparisons, range, NumberRange::equals);
        if (both != null) {
            return List.of(both);
        }
        Comparison low = first(comparisons, range, NumberRange::beginsLike);
        Comparison high = first(comparisons, range, NumberRange::endsLike);
        if (low == null || high == null) {
            return List.copyOf(comparisons);
        }
        return low.operator() == GREATER_OR_EQUAL && high.operator() == LESS_OR_EQUAL
                ? List.of(new Between(low.left(), low.right(), high.right(), false))
                : List.of(low, high);
    }

    private static @Nullable Comparison first(
            List<Comparison> comparisons,
            NumberRange range,
            BiPredicate<NumberRange, NumberRange> alike) {
        return comparisons.stream()
                .filter(each -> alike.test(NumberBounds.range(List.of(each)), range))
                .min(BY_TEXT)
                .orElse(null);
    }
}
