package winnow.selector.compile;

import java.util.Arrays;
import winnow.selector.SlotValues;

/// `T(identifier IN ('a', 'b', ..))` over sorted constant numbers.
final class StringIn extends Predicate {

    private final int slot;
    private final int[] constants;

    StringIn(int slot, int[] sortedConstants) {
        this.slot = slot;
        this.constants = sortedConstants;
    }

    @Override
    public boolean test(SlotValues values) {
        int constant = values.constant(slot);
        return constant != SlotValues.NO_CONSTANT && Arrays.binarySearch(constants, constant) >= 0;
    }
}
