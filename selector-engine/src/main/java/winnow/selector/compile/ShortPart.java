package winnow.selector.compile;

import winnow.selector.slot.Scratch;

/// A floating part of at most eight bytes without `_`: the last bytes of the value are kept in one
/// word and compared at once. The only branch that is hard to predict is the end, where [PlainPart]
/// has one per byte: with [TextContains] 12.0 ns instead of 20.6 for a value of 12 bytes.
final class ShortPart implements FloatingPart {

    static final int MAX_BYTES = Long.BYTES;

    private final int length;

    /// The first byte is the lowest.
    private final long word;

    /// Shift of the last byte in the word, in bits.
    private final int lastShift;

    ShortPart(byte[] pattern) {
        this.length = pattern.length;
        this.lastShift = Byte.SIZE * (length - 1);
        long bytes = 0;
        for (byte each : pattern) {
            bytes = next(bytes, each);
        }
        this.word = bytes;
    }

    @Override
    public int endOfFirst(byte[] text, int from, int to, Scratch scratch) {
        long last = 0;
        for (int i = from; i < to; i++) {
            last = next(last, text[i]);
            if (last == word && i - from >= length - 1) {
                return i + 1;
            }
        }
        return -1;
    }

    private long next(long last, byte value) {
        return last >>> Byte.SIZE | (value & 0xFFL) << lastShift;
    }
}
