package winnow.selector.compile;

import java.util.Arrays;

/// A floating part with `_`. No linear algorithm is known for such parts, so it is searched by bits
/// (Shift-And, Baeza-Yates and Gonnet 1992): bit `i` of the state says "the last `i + 1` characters
/// match the first `i + 1` of the part", 64 of them per machine word. The length is bounded by
/// [winnow.selector.SelectorLimits#maxFloatingPart], so the work per character is bounded too.
final class WildPart implements FloatingPart {

    private final int words;

    /// The state's bit for the whole part, in the last word.
    private final long last;

    /// The distinct plain code points, sorted, and for each the places that accept it.
    private final int[] codePoints;

    private final long[][] accepting;

    /// The places of `_`, which accept everything.
    private final long[] acceptingAny;

    WildPart(int[] part) {
        this.words = (part.length + Long.SIZE - 1) / Long.SIZE;
        if (words > Scratch.WORDS) {
            throw new IllegalArgumentException("part of a LIKE pattern above the limit");
        }
        this.last = 1L << (part.length - 1);
        this.codePoints =
                Arrays.stream(part)
                        .filter(c -> c != LikeCompiler.ANY)
                        .distinct()
                        .sorted()
                        .toArray();
        this.acceptingAny = new long[words];
        for (int i = 0; i < part.length; i++) {
            if (part[i] == LikeCompiler.ANY) {
                acceptingAny[i / Long.SIZE] |= 1L << i;
            }
        }
        this.accepting = new long[codePoints.length][];
        Arrays.setAll(accepting, _ -> acceptingAny.clone());
        for (int i = 0; i < part.length; i++) {
            if (part[i] != LikeCompiler.ANY) {
                accepting[Arrays.binarySearch(codePoints, part[i])][i / Long.SIZE] |= 1L << i;
            }
        }
    }

    @Override
    public int endOfFirst(byte[] text, int from, int to, Scratch scratch) {
        long[] state = scratch.words;
        Arrays.fill(state, 0, words, 0);
        for (int i = from; i < to; ) {
            int next = Utf8.next(text, i, to);
            int known = Arrays.binarySearch(codePoints, Utf8.codePoint(text, i, next));
            long[] accepts = known < 0 ? acceptingAny : accepting[known];
            long carry = 1;
            for (int word = 0; word < words; word++) {
                long old = state[word];
                state[word] = ((old << 1) | carry) & accepts[word];
                carry = old >>> (Long.SIZE - 1);
            }
            if ((state[words - 1] & last) != 0) {
                return next;
            }
            i = next;
        }
        return -1;
    }
}
