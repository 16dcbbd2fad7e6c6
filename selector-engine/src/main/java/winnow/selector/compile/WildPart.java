package winnow.selector.compile;

import java.util.Arrays;
import winnow.selector.slot.Scratch;

/// A floating part with `_`, searched by bits (Shift-And, Baeza-Yates and Gonnet 1992): bit `i` of
/// the state says "the last bytes match the first `i + 1` elements of the part", 64 of them per
/// machine word. An element is a byte of a plain character, or a `_`, which takes a byte that
/// begins a character and then stays for the bytes that continue it. So a byte of the value costs
/// some instructions per word, whatever the value: [winnow.selector.check.ScanBudget] counts words.
final class WildPart implements FloatingPart {

    /// The rows of [#accepting] for bytes that the part does not have.
    private static final int OTHER_START = 0;

    private static final int OTHER_CONTINUATION = 1;

    private final int words;

    /// The state's bit for the whole part, in the last word.
    private final long last;

    /// The byte that every match begins with: no part begins with `_`, which would stand before the
    /// `%`.
    private final byte first;

    /// The row of each byte.
    private final byte[] rows = new byte[1 << Byte.SIZE];

    /// By row, the places that accept its bytes.
    private final long[] accepting;

    /// The places of `_`.
    private final long[] any;

    WildPart(int[] part) {
        byte[] elements = elements(part);
        this.words = (elements.length + Long.SIZE - 1) / Long.SIZE;
        if (words > Scratch.WORDS) {
            throw new IllegalArgumentException("part of a LIKE pattern above the limit");
        }
        this.last = 1L << (elements.length - 1);
        this.first = elements[0];
        this.any = new long[words];
        for (int i = 0; i < elements.length; i++) {
            if (isAny(elements[i])) {
                any[i / Long.SIZE] |= 1L << i;
            }
        }
        this.accepting = accepting(elements);
    }

    /// The UTF-8 of the part, with a byte that UTF-8 never has for `_`.
    private static byte[] elements(int[] part) {
        byte[] elements = new byte[4 * part.length];
        int length = 0;
        for (int codePoint : part) {
            if (codePoint == LikeCompiler.ANY) {
                elements[length++] = (byte) 0xFF;
            } else {
                byte[] utf8 = LikeCompiler.utf8(new int[] {codePoint});
                System.arraycopy(utf8, 0, elements, length, utf8.length);
                length += utf8.length;
            }
        }
        return Arrays.copyOf(elements, length);
    }

    private static boolean isAny(byte element) {
        return element == (byte) 0xFF;
    }

    private long[] accepting(byte[] elements) {
        int count = OTHER_CONTINUATION + 1;
        for (int value = 0x80; value < 0xC0; value++) {
            rows[value] = OTHER_CONTINUATION;
        }
        for (byte element : elements) {
            int row = rows[element & 0xFF];
            if (!isAny(element) && (row == OTHER_START || row == OTHER_CONTINUATION)) {
                rows[element & 0xFF] = (byte) count++;
            }
        }
        long[] table = new long[count * words];
        for (int value = 0; value < rows.length; value++) {
            if (!Utf8.isContinuation((byte) value)) {
                System.arraycopy(any, 0, table, row((byte) value), words);
            }
        }
        for (int i = 0; i < elements.length; i++) {
            if (!isAny(elements[i])) {
                table[row(elements[i]) + i / Long.SIZE] |= 1L << i;
            }
        }
        return table;
    }

    /// Index at which the row of a byte begins.
    private int row(byte value) {
        return (rows[value & 0xFF] & 0xFF) * words;
    }

    @Override
    public int endOfFirst(byte[] text, int from, int to, Scratch scratch) {
        return words == 1
                ? endByOneWord(text, from, to)
                : endByWords(text, from, to, scratch.words);
    }

    @Override
    public int passes() {
        return words;
    }

    private int endByOneWord(byte[] text, int from, int to) {
        long wild = any[0];
        long state = 0;
        for (int i = from; i < to; i++) {
            byte value = text[i];
            if (state == 0 && value != first) {
                continue;
            }
            long next = (state << 1 | 1) & accepting[rows[value & 0xFF] & 0xFF];
            state = Utf8.isContinuation(value) ? next | (state & wild) : next;
            if ((state & last) != 0) {
                return endOfCharacter(text, i + 1, to);
            }
        }
        return -1;
    }

    private int endByWords(byte[] text, int from, int to, long[] state) {
        Arrays.fill(state, 0, words, 0);
        for (int i = from; i < to; i++) {
            byte value = text[i];
            long staying = Utf8.isContinuation(value) ? -1 : 0;
            int row = row(value);
            long carry = 1;
            for (int word = 0; word < words; word++) {
                long old = state[word];
                long moved = (old << 1 | carry) & accepting[row + word];
                state[word] = moved | (old & any[word] & staying);
                carry = old >>> (Long.SIZE - 1);
            }
            if ((state[words - 1] & last) != 0) {
                return endOfCharacter(text, i + 1, to);
            }
        }
        return -1;
    }

    /// A `_` at the end has taken the first byte of a character only.
    private static int endOfCharacter(byte[] text, int position, int to) {
        int end = position;
        while (end < to && Utf8.isContinuation(text[end])) {
            end++;
        }
        return end;
    }
}
