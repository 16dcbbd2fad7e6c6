package winnow.selector.index.term;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.LikePattern;

/// A plain text of a pattern, by which strings are found that may match it.
public final class PatternText {

    /// More than this of a text tells hardly more strings apart, but costs memory per byte.
    private static final int MAX_LENGTH = 64;

    /// A shorter text is in so many strings that it is taken only if there is no other.
    private static final int TELLING_LENGTH = 3;

    /// So many texts of a pattern are compared, the longest.
    private static final int MAX_COMPARED = 8;

    /// A text that so many patterns are found by counts as twice as common.
    private static final double SHARED = 8;

    private final byte[] text;
    private final boolean prefix;
    private final boolean whole;

    /// @param prefix whether strings begin with it
    /// @param whole whether every string matches that has it
    private PatternText(byte[] text, boolean prefix, boolean whole) {
        this.text = text;
        this.prefix = prefix;
        this.whole = whole;
    }

    /// The text that is likely to be in the fewest strings: a long one, and not one that many other
    /// patterns are found by, because what many ask for is what many messages have. Null if the
    /// pattern has only wildcards.
    ///
    /// @param probe of the slot whose strings are matched
    static @Nullable PatternText rarest(LikePattern pattern, SlotProbe probe) {
        String prefix = pattern.prefix();
        PatternText best = null;
        double lowest = Double.POSITIVE_INFINITY;
        if (!prefix.isEmpty()) {
            best = new PatternText(prefix.getBytes(UTF_8), true, false);
            lowest = best.expected(probe);
        }
        List<String> inner = pattern.innerTexts();
        int longest = inner.stream().mapToInt(String::length).max().orElse(0);
        boolean whole = pattern.isTextAnywhere();
        for (String text :
                inner.stream()
                        .filter(text -> text.length() >= Math.min(longest, TELLING_LENGTH))
                        .sorted(Comparator.comparingInt(text -> -text.length()))
                        .limit(MAX_COMPARED)
                        .toList()) {
            PatternText candidate = inside(text.getBytes(UTF_8), whole);
            double expected = candidate.expected(probe);
            if (expected < lowest) {
                best = candidate;
                lowest = expected;
            }
        }
        return best;
    }

    private static PatternText inside(byte[] text, boolean whole) {
        return text.length <= MAX_LENGTH
                ? new PatternText(text, false, whole)
                : new PatternText(Arrays.copyOf(text, MAX_LENGTH), false, false);
    }

    /// Borrowed: never change it.
    public byte[] text() {
        return text;
    }

    /// True if strings begin with it.
    public boolean isPrefix() {
        return prefix;
    }

    /// True if every string matches that has it.
    boolean isWhole() {
        return whole;
    }

    /// Cost of a string that is looked for: see [Term#cost]. A prefix is found faster, and is in
    /// fewer strings.
    double cost() {
        return prefix ? 2 + 30.0 / text.length : 4 + 60.0 / text.length;
    }

    private double expected(SlotProbe probe) {
        return cost() * (1 + probe.patternsFoundBy(this) / SHARED);
    }
}
