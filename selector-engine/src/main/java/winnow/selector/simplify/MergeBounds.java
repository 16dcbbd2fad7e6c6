package winnow.selector.simplify;

import static winnow.selector.expression.ComparisonOperator.GREATER_OR_EQUAL;
import static winnow.selector.expression.ComparisonOperator.LESS_OR_EQUAL;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import winnow.selector.expression.And;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.NumberLiteral;

/// `x >= a AND x <= b -> x BETWEEN a AND b`, which is how the specification defines BETWEEN, so it
/// holds for UNKNOWN. Numbers only, and only for names with one bound of each direction, so that
/// the result does not depend on the order of the operands.
final class MergeBounds implements Rule {

    @Override
    public Condition apply(Condition node) {
        if (!(node instanceof And(List<Condition> operands))
                || !hasBound(operands, GREATER_OR_EQUAL)
                || !hasBound(operands, LESS_OR_EQUAL)) {
            return node;
        }
        Map<Identifier, List<Comparison>> lows = bounds(operands, GREATER_OR_EQUAL);
        Map<Identifier, List<Comparison>> highs = bounds(operands, LESS_OR_EQUAL);
        Set<Condition> merged = new HashSet<>();
        List<Condition> result = new ArrayList<>();
        lows.forEach((identifier, low) -> {
            List<Comparison> high = highs.getOrDefault(identifier, List.of());
            if (low.size() == 1 && high.size() == 1) {
                Comparison from = low.getFirst();
                Comparison to = high.getFirst();
                merged.add(from);
                merged.add(to);
                result.add(new Between(identifier, from.right(), to.right(), false));
            }
        });
        for (Condition operand : operands) {
            if (!merged.contains(operand)) {
                result.add(operand);
            }
        }
        return CanonicalForm.and(result);
    }

    private static boolean hasBound(List<Condition> operands, ComparisonOperator direction) {
        for (Condition operand : operands) {
            if (operand instanceof Comparison comparison && comparison.operator() == direction) {
                return true;
            }
        }
        return false;
    }

    private static Map<Identifier, List<Comparison>> bounds(
            List<Condition> operands, ComparisonOperator direction) {
        Map<Identifier, List<Comparison>> bounds = new LinkedHashMap<>();
        for (Condition operand : operands) {
            if (operand instanceof Comparison comparison
                    && comparison.operator() == direction
                    && comparison.left() instanceof Identifier identifier
                    && comparison.right() instanceof NumberLiteral) {
                bounds.computeIfAbsent(identifier, _ -> new ArrayList<>()).add(comparison);
            }
        }
        return bounds;
    }
}
