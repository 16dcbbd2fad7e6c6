package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A string as one long, or two, so that most strings are compared without a look at their bytes:
///
/// | word | string |
/// |---|---|
/// | not negative | eight ASCII characters |
/// | first bits 10000, then three bits for the length, then the bytes | up to seven bytes |
/// | first bits 10001, then so many bytes more than eight, then these | with a [#first] word |
/// | first bits 11 | any other, as a hash |
///
/// The first two say all of the string, and are the word of no other; so is the third together with
/// the first word.
final class StringWord {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /// Odd, with about as many ones as zeros, from the fractional digits of pi.
    private static final long MIX = 0x243F_6A88_85A3_08D3L;

    private static final long SHORT = 1L << 63;
    private static final long PAIR = SHORT | 1L << 59;
    private static final long HASHED = 3L << 62;

    /// Set in a byte that is not ASCII.
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private static final int LENGTH_SHIFT = 7 * Byte.SIZE;

    private StringWord() {}

    /// @param seed makes hashes unpredictable for those who send strings
    static long of(byte[] bytes, int offset, int length, long seed) {
        if (length < Long.BYTES) {
            return ofShort(bytes, offset, length);
        }
        if (length == Long.BYTES) {
            long word = (long) LONGS.get(bytes, offset);
            if ((word & HIGH_BITS) == 0) {
                return word;
            }
        }
        if (length < 2 * Long.BYTES) {
            int rest = length - Long.BYTES;
            return PAIR | (long) rest << LENGTH_SHIFT | packed(bytes, offset + Long.BYTES, rest);
        }
        return HASHED | hash(bytes, offset, length, seed);
    }

    /// The same for up to seven bytes.
    static long ofShort(byte[] bytes, int offset, int length) {
        return SHORT | (long) length << LENGTH_SHIFT | packed(bytes, offset, length);
    }

    /// True if the string has a [#first] word, too.
    static boolean isPair(long word) {
        return (word & (HASHED | PAIR)) == PAIR;
    }

    /// True if the word is only a hash.
    static boolean isHashed(long word) {
        return (word & HASHED) == HASHED;
    }

    /// The first eight bytes, if there are two words, else 0.
    static long first(long word, byte[] bytes, int offset) {
        return isPair(word) ? (long) LONGS.get(bytes, offset) : 0;
    }

    /// The string of a word that is not a hash.
    static String text(long word, long first) {
        byte[] bytes = new byte[2 * Long.BYTES];
        int rest = word < 0 ? (int) (word >> LENGTH_SHIFT) & 7 : Long.BYTES;
        int before = isPair(word) ? Long.BYTES : 0;
        LONGS.set(bytes, 0, first);
        LONGS.set(bytes, before, word);
        return new String(bytes, 0, before + rest, UTF_8);
    }

    /// Up to seven bytes, the first one lowest.
    private static long packed(byte[] bytes, int offset, int length) {
        int end = offset + length;
        if (end >= Long.BYTES) {
            // One read, and no branch that depends on the length. Of no bytes, two shifts leave 0.
            long word = (long) LONGS.get(bytes, end - Long.BYTES);
            return word >>> Byte.SIZE >>> (LENGTH_SHIFT - Byte.SIZE * length);
        }
        if (length >= Integer.BYTES) {
            long first = Integer.toUnsignedLong((int) INTS.get(bytes, offset));
            long last = Integer.toUnsignedLong((int) INTS.get(bytes, end - Integer.BYTES));
            return first | last << (Byte.SIZE * (length - Integer.BYTES));
        }
        if (length == 0) {
            return 0;
        }
        int middle = length / 2;
        long first = Byte.toUnsignedLong(bytes[offset]);
        long second = Byte.toUnsignedLong(bytes[offset + middle]);
        long last = Byte.toUnsignedLong(bytes[end - 1]);
        return first | second << (Byte.SIZE * middle) | last << (Byte.SIZE * (length - 1));
    }

    /// Of sixteen bytes or more: eight per step, and the last eight.
    private static long hash(byte[] bytes, int offset, int length, long seed) {
        // Far from what a few bits of the first bytes may change.
        long hash = seed + length * MIX;
        int end = offset + length - Long.BYTES;
        for (int i = offset; i < end; i += Long.BYTES) {
            hash = KeyedHash.fold(hash ^ (long) LONGS.get(bytes, i), MIX);
        }
        return KeyedHash.fold(hash ^ (long) LONGS.get(bytes, end), MIX);
    }
}
