package winnow.selector.compile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import winnow.selector.expression.SuffixRange;
import winnow.selector.slot.SlotValues;

/// T of a [SuffixRange]: the prefix, then only digits, then a number within the bounds.
final class SuffixInRange extends Predicate {

    private final int slot;
    private final byte[] prefix;
    private final long low;
    private final long high;
    private final int width;

    SuffixInRange(int slot, SuffixRange range) {
        this.slot = slot;
        this.prefix = range.prefix().getBytes(UTF_8);
        this.low = range.low();
        this.high = range.high();
        this.width = range.width();
    }

    @Override
    public boolean test(SlotValues values) {
        if (values.kind(slot) != SlotValues.STRING) {
            return false;
        }
        int digits = values.textLength(slot) - prefix.length;
        if (digits < 1 || (width != 0 && digits != width)) {
            return false;
        }
        boolean aboveEveryBound = digits > SuffixRange.MAX_DIGITS;
        if (aboveEveryBound && high != SuffixRange.UNBOUNDED) {
            return false;
        }
        byte[] text = values.text(slot);
        int start = values.textOffset(slot);
        int firstDigit = start + prefix.length;
        if (!Arrays.equals(prefix, 0, prefix.length, text, start, firstDigit)) {
            return false;
        }
        if (width == 0 && digits > 1 && text[firstDigit] == '0') {
            return false;
        }
        values.scratch().scannedBytes += digits;
        long number = 0;
        for (int i = firstDigit; i < firstDigit + digits; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            // Means nothing above every bound.
            number = number * 10 + digit;
        }
        return aboveEveryBound || (number >= low && number <= high);
    }
}
