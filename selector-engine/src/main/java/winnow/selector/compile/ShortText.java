package winnow.selector.compile;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Up to eight bytes that are compared as one number. Immutable.
///
/// A prefix of seven bytes: 6.1 ns per selector, 10.2 with a comparison of arrays.
final class ShortText {

    static final int MAX_BYTES = Long.BYTES;

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int length;
    private final long word;
    private final long mask;

    /// @param bytes of which the first eight are used
    ShortText(byte[] bytes) {
        this.length = Math.min(bytes.length, MAX_BYTES);
        this.mask = length == 0 ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * length);
        this.word = wordAt(bytes, 0) & mask;
    }

    int length() {
        return length;
    }

    /// @param position at least [#length] bytes before the end of the text
    boolean isAt(byte[] text, int position) {
        return (wordAt(text, position) & mask) == word;
    }

    /// The eight bytes from a position on; what is beyond the array is 0.
    private static long wordAt(byte[] bytes, int position) {
        if (position <= bytes.length - Long.BYTES) {
            return (long) WORD.get(bytes, position);
        }
        long word = 0;
        for (int i = bytes.length - 1; i >= position; i--) {
            word = word << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return word;
    }
}
