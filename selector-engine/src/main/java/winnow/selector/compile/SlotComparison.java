package winnow.selector.compile;

import java.util.Arrays;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// T or F of `identifier op identifier`.
final class SlotComparison extends Predicate {

    /// Bytes that are compared in the time that one takes otherwise.
    private static final int BYTES_AT_ONCE = 16;

    private final int left;
    private final ComparisonOperator operator;
    private final int right;
    private final boolean truth;

    SlotComparison(int left, ComparisonOperator operator, int right, boolean truth) {
        this.left = left;
        this.operator = operator;
        this.right = right;
        this.truth = truth;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.isPresent(left) && values.isPresent(right) && compare(values) == truth;
    }

    private boolean compare(SlotValues values) {
        byte leftKind = values.kind(left);
        byte rightKind = values.kind(right);
        if (leftKind >= SlotValues.EXACT && rightKind >= SlotValues.EXACT) {
            return compareNumbers(values, leftKind, rightKind);
        }
        if (operator.isOrdering()) {
            return false;
        }
        boolean equalWanted = operator == ComparisonOperator.EQUAL;
        if (leftKind == SlotValues.STRING && rightKind == SlotValues.STRING) {
            return equalStrings(values) == equalWanted;
        }
        return isBoolean(leftKind)
                && isBoolean(rightKind)
                && (leftKind == rightKind) == equalWanted;
    }

    private boolean compareNumbers(SlotValues values, byte leftKind, byte rightKind) {
        if (leftKind == SlotValues.EXACT && rightKind == SlotValues.EXACT) {
            return operator.test(values.exact(left), values.exact(right));
        }
        boolean asDouble = leftKind == SlotValues.DOUBLE || rightKind == SlotValues.DOUBLE;
        return operator.test(
                approximate(values, left, leftKind, asDouble),
                approximate(values, right, rightKind, asDouble));
    }

    private static double approximate(SlotValues values, int slot, byte kind, boolean asDouble) {
        return kind == SlotValues.EXACT
                ? Scratch.widen(values.exact(slot), asDouble)
                : values.approximate(slot);
    }

    private boolean equalStrings(SlotValues values) {
        values.scratch().scannedBytes += values.textLength(left) / BYTES_AT_ONCE;
        int leftStart = values.textOffset(left);
        int rightStart = values.textOffset(right);
        return Arrays.equals(
                values.text(left),
                leftStart,
                leftStart + values.textLength(left),
                values.text(right),
                rightStart,
                rightStart + values.textLength(right));
    }

    private static boolean isBoolean(byte kind) {
        return kind == SlotValues.TRUE || kind == SlotValues.FALSE;
    }
}
