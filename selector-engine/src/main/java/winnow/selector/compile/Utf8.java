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

    /// True if a byte belongs to the character before it: 0x80 to 0xBF.
    static boolean isContinuation(byte value) {
        return value < (byte) 0xC0;
    }
}
