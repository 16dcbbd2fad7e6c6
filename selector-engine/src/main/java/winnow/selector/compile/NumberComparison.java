package winnow.selector.compile;

import winnow.selector.expression.ComparisonOperator;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// T or F of a comparison with arithmetic on at least one side, or of two numeric literals.
final class NumberComparison extends Predicate {

    private final NumberSource left;
    private final ComparisonOperator operator;
    private final NumberSource right;
    private final boolean truth;

    NumberComparison(
            NumberSource left, ComparisonOperator operator, NumberSource right, boolean truth) {
        this.left = left;
        this.operator = operator;
        this.right = right;
        this.truth = truth;
    }

    @Override
    public boolean test(SlotValues values) {
        Scratch scratch = values.scratch();
        byte leftKind = left.load(values, scratch);
        if (leftKind == SlotValues.MISSING) {
            return false;
        }
        long leftExact = scratch.exact;
        double leftApproximate = scratch.approximate;
        byte rightKind = right.load(values, scratch);
        if (rightKind == SlotValues.MISSING) {
            return false;
        }
        if (leftKind < SlotValues.EXACT || rightKind < SlotValues.EXACT) {
            return !truth;
        }
        if (leftKind == SlotValues.EXACT && rightKind == SlotValues.EXACT) {
            return operator.test(leftExact, scratch.exact) == truth;
        }
        boolean asDouble = leftKind == SlotValues.DOUBLE || rightKind == SlotValues.DOUBLE;
        double a =
                leftKind == SlotValues.EXACT ? Scratch.widen(leftExact, asDouble) : leftApproximate;
        double b =
                rightKind == SlotValues.EXACT
                        ? Scratch.widen(scratch.exact, asDouble)
                        : scratch.approximate;
        return operator.test(a, b) == truth;
    }
}
