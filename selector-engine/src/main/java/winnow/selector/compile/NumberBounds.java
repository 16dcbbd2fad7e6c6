package winnow.selector.compile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.And;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;

/// Recognizes the conditions that hold one name within an interval of numbers, so that several of
/// them become one interval: `x > 10 AND x < 20`. A number is within the interval of `NOT (x <=
/// 10)`, too, but what is not a number is accepted by it; so these are joined among themselves.
public final class NumberBounds {

    /// Comparable for the same reason as names are.
    private record Group(Identifier name, boolean refuted) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            int byName = name.compareTo(other.name);
            return byName == 0 ? Boolean.compare(refuted, other.refuted) : byName;
        }
    }

    /// So many operands at most are compared with each other to see whether there is anything to
    /// join. For most conditions there is nothing, and selectors come and go 3 to 5 % faster than
    /// if all were collected in a map.
    private static final int FEW = 16;

    private NumberBounds() {}

    /// The name of a comparison with a number, `<>` apart, or of a BETWEEN; null of anything else.
    public static @Nullable Identifier nameOf(Condition condition) {
        // Called for each operand of each AND, where patterns with parts cost some percent.
        if (condition instanceof Comparison comparison) {
            return comparison.left() instanceof Identifier name
                            && comparison.right() instanceof NumberLiteral
                            && comparison.operator() != ComparisonOperator.NOT_EQUAL
                    ? name
                    : null;
        }
        return condition instanceof Between between
                        && between.value() instanceof Identifier name
                        && between.low() instanceof NumberLiteral
                        && between.high() instanceof NumberLiteral
                        && !between.negated()
                ? name
                : null;
    }

    /// The comparison that NOT and an ordering are for all numbers, NaN apart: `NOT (x > 5) -> x <=
    /// 5`; null of anything else.
    public static @Nullable Comparison refuted(Condition condition) {
        return condition instanceof Not(Comparison comparison)
                        && comparison.operator().isOrdering()
                        && nameOf(comparison) != null
                ? new Comparison(
                        comparison.left(), comparison.operator().negated(), comparison.right())
                : null;
    }

    /// The comparisons that say the same as a condition that has a [#nameOf].
    public static List<Comparison> comparisons(Condition bound) {
        return switch (bound) {
            case Comparison comparison -> List.of(comparison);
            case Between(var name, var low, var high, var _) ->
                    List.of(
                            new Comparison(name, ComparisonOperator.GREATER_OR_EQUAL, low),
                            new Comparison(name, ComparisonOperator.LESS_OR_EQUAL, high));
            default -> throw new IllegalArgumentException("no bound: " + bound);
        };
    }

    /// The numbers that all of one or more conditions accept, each of which has a [#nameOf].
    public static NumberRange range(List<? extends Condition> bounds) {
        NumberRange range = NumberRange.ALL;
        for (Condition bound : bounds) {
            for (Comparison comparison : comparisons(bound)) {
                range = range.intersect(range(comparison));
            }
        }
        return range;
    }

    private static NumberRange range(Comparison comparison) {
        if (comparison.right() instanceof NumberLiteral literal) {
            return NumberRange.of(comparison.operator(), literal);
        }
        throw new IllegalArgumentException("no number: " + comparison);
    }

    /// The operands of an AND, those that bound one name joined to one: an [And] among them is such
    /// a group.
    public static List<Condition> joined(List<Condition> operands) {
        if (operands.size() <= FEW && areOfDifferentNames(operands)) {
            return operands;
        }
        Map<Group, List<Condition>> groups = new LinkedHashMap<>();
        List<Condition> joined = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            Group group = group(operand);
            if (group == null) {
                joined.add(operand);
            } else {
                groups.computeIfAbsent(group, _ -> new ArrayList<>(2)).add(operand);
            }
        }
        if (joined.size() + groups.size() == operands.size()) {
            return operands;
        }
        for (List<Condition> bounds : groups.values()) {
            joined.add(bounds.size() == 1 ? bounds.getFirst() : new And(bounds));
        }
        return joined;
    }

    private static boolean areOfDifferentNames(List<Condition> operands) {
        for (int i = 1; i < operands.size(); i++) {
            Identifier name = boundName(operands.get(i));
            for (int j = 0; name != null && j < i; j++) {
                if (name.equals(boundName(operands.get(j)))) {
                    return false;
                }
            }
        }
        return true;
    }

    /// The name of a condition that has a [#group].
    private static @Nullable Identifier boundName(Condition condition) {
        return nameOf(condition instanceof Not(Comparison comparison) ? comparison : condition);
    }

    /// The name that all operands of an AND are [#comparisons] of, null if they are not.
    static @Nullable Identifier commonName(List<Condition> operands) {
        Identifier common = nameOf(operands.getFirst());
        for (Condition operand : operands) {
            if (common == null || !common.equals(nameOf(operand))) {
                return null;
            }
        }
        return common;
    }

    private static @Nullable Group group(Condition operand) {
        Identifier name = nameOf(operand);
        if (name != null) {
            return new Group(name, false);
        }
        Comparison refuted = refuted(operand);
        Identifier ofRefuted = refuted == null ? null : nameOf(refuted);
        return ofRefuted == null ? null : new Group(ofRefuted, true);
    }
}
