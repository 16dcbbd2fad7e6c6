package winnow.selector.compile;

import winnow.selector.slot.Scratch;

/// A floating part without `_`, found by the algorithm of Knuth, Morris and Pratt: at most two
/// comparisons per byte of the value, whatever the pattern. Bytes suffice, because no character's
/// UTF-8 begins inside another's.
final class PlainPart implements FloatingPart {

    private final byte[] pattern;

    /// `border[i]`: length of the longest proper prefix of the first `i` bytes that is also their
    /// end.
    private final int[] border;

    PlainPart(byte[] pattern) {
        this.pattern = pattern;
        this.border = new int[pattern.length + 1];
        int matched = 0;
        for (int i = 1; i < pattern.length; i++) {
            while (matched > 0 && pattern[i] != pattern[matched]) {
                matched = border[matched];
            }
            if (pattern[i] == pattern[matched]) {
                matched++;
            }
            border[i + 1] = matched;
        }
    }

    @Override
    public int endOfFirst(byte[] text, int from, int to, Scratch scratch) {
        int matched = 0;
        for (int i = from; i < to; i++) {
            byte value = text[i];
            while (matched > 0 && value != pattern[matched]) {
                matched = border[matched];
            }
            if (value == pattern[matched] && ++matched == pattern.length) {
                return i + 1;
            }
        }
        return -1;
    }
}
