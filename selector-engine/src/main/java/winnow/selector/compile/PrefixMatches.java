package winnow.selector.compile;

import java.util.Arrays;
import winnow.selector.SlotValues;

/// `T(identifier LIKE 'prefix%')`
final class PrefixMatches extends Predicate {

    private final int slot;
    private final byte[] prefix;

    PrefixMatches(int slot, byte[] prefix) {
        this.slot = slot;
        this.prefix = prefix;
    }

    @Override
    public boolean test(SlotValues values) {
        if (values.kind(slot) != SlotValues.STRING || values.textLength(slot) < prefix.length) {
            return false;
        }
        int start = values.textOffset(slot);
        return Arrays.equals(
                prefix, 0, prefix.length, values.text(slot), start, start + prefix.length);
    }
}
