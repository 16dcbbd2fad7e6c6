package winnow.selector.index.term;

/// The first bytes, four at most, of some texts, as a set with false positives. At nearly every
/// place of a string it tells that none of the texts begins there. Immutable.
public final class Beginnings {

    private static final int MAX_BYTES = 4;
    private static final int MIX = 0x9E37_79B1;

    private final int length;
    private final int mask;
    private final int shift;
    private final long[] bits;

    /// @param texts one at least, none empty
    Beginnings(Substring[] texts) {
        int shortest = MAX_BYTES;
        for (Substring literal : texts) {
            shortest = Math.min(shortest, literal.text().length);
        }
        this.length = shortest;
        this.mask = -1 >>> (Integer.SIZE - Byte.SIZE * length);
        // 16 to 32 bits per text: at most one other in 16 is taken for one of them.
        int bitCount = Math.max(Long.SIZE, 32 * Integer.highestOneBit(texts.length));
        this.shift = Integer.numberOfLeadingZeros(bitCount - 1);
        this.bits = new long[bitCount / Long.SIZE];
        for (Substring literal : texts) {
            int window = 0;
            for (int i = 0; i < length; i++) {
                window = window << Byte.SIZE | (literal.text()[i] & 0xFF);
            }
            int bit = bit(window);
            bits[bit / Long.SIZE] |= 1L << bit;
        }
    }

    /// The first place from `from` on where one of the texts may begin, or `to`.
    int next(byte[] text, int from, int to) {
        int window = 0;
        int end = Math.min(to, from + length - 1);
        for (int i = from; i < end; i++) {
            window = window << Byte.SIZE | (text[i] & 0xFF);
        }
        for (int i = end; i < to; i++) {
            window = window << Byte.SIZE | (text[i] & 0xFF);
            int bit = bit(window & mask);
            if ((bits[bit / Long.SIZE] & 1L << bit) != 0) {
                return i - length + 1;
            }
        }
        return to;
    }

    private int bit(int window) {
        return (window * MIX) >>> shift;
    }
}
