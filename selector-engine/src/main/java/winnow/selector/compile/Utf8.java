package winnow.selector.compile;

/// Walks over UTF-8 by character. A character is any byte and the continuation bytes after it; this
/// is the right answer for valid UTF-8 and a defined one for any other bytes.
final class Utf8 {

    private Utf8() {}

    /// The position after the character at `position`, which is below `end`.
    static int next(byte[] text, int position, int end) {
        int next = position + 1;
        while (next < end && isContinuation(text[next])) {
            next++;
        }
        return next;
    }

    /// The position of the character before `position`, which is above `start`.
    static int previous(byte[] text, int start, int position) {
        int previous = position - 1;
        while (previous > start && isContinuation(text[previous])) {
            previous--;
        }
        return previous;
    }

    /// The code point of the character at `from..to`, or some negative number if it is not valid.
    static int codePoint(byte[] text, int from, int to) {
        int first = text[from];
        if (first >= 0 && to - from == 1) {
            return first;
        }
        int length = to - from;
        int lead =
                switch (length) {
                    case 2 -> (first & 0xE0) ^ 0xC0;
                    case 3 -> (first & 0xF0) ^ 0xE0;
                    case 4 -> (first & 0xF8) ^ 0xF0;
                    default -> -1;
                };
        if (lead != 0) {
            return Integer.MIN_VALUE;
        }
        int codePoint = first & 0x7F >> length;
        for (int i = from + 1; i < to; i++) {
            codePoint = codePoint << 6 | (text[i] & 0x3F);
        }
        return codePoint;
    }

    private static boolean isContinuation(byte value) {
        return (value & 0xC0) == 0x80;
    }
}
