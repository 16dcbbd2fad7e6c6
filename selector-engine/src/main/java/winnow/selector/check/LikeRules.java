package winnow.selector.check;

import winnow.selector.expression.LikePattern;

/// Rules for a LIKE pattern (3.8.1.2): `_` is one code point, `%` any run of them, and the escape
/// character takes the meaning from a following `_`, `%` or itself.
public final class LikeRules {

    /// No ESCAPE clause; not a code point.
    private static final int NO_ESCAPE = -1;

    private LikeRules() {}

    public static LikePattern pattern(String pattern, Position position, SelectorLimits limits) {
        return pattern(pattern, NO_ESCAPE, position, limits);
    }

    public static LikePattern pattern(
            String pattern,
            String escape,
            Position position,
            Position escapePosition,
            SelectorLimits limits) {
        if (escape.isEmpty() || escape.codePointCount(0, escape.length()) != 1) {
            throw escapePosition.error(
                    "exactly one character after ESCAPE", "'" + escape.replace("'", "''") + "'");
        }
        return pattern(pattern, escape.codePointAt(0), position, limits);
    }

    private static LikePattern pattern(
            String pattern, int escape, Position position, SelectorLimits limits) {
        LikePattern.Builder builder = LikePattern.builder();
        for (int i = 0; i < pattern.length(); ) {
            int codePoint = pattern.codePointAt(i);
            i += Character.charCount(codePoint);
            if (codePoint == escape) {
                int escaped = i < pattern.length() ? pattern.codePointAt(i) : NO_ESCAPE;
                if (escaped != '%' && escaped != '_' && escaped != escape) {
                    throw position.error(
                            "'%', '_' or the escape character after an escape in a LIKE pattern",
                            escaped == NO_ESCAPE
                                    ? "the end of the pattern"
                                    : "'" + Character.toString(escaped) + "'");
                }
                builder.character(escaped);
                i += Character.charCount(escaped);
            } else if (codePoint == '%') {
                builder.anyRun();
            } else if (codePoint == '_') {
                builder.anyCharacter();
            } else {
                builder.character(codePoint);
            }
        }
        LikePattern result = builder.build();
        requireSearchable(result, position, limits);
        return result;
    }

    /// A part between two `%` is searched everywhere in a value. Without `_` that is linear; with
    /// `_` the work grows with the length of the part too, so that is limited.
    public static void requireSearchable(
            LikePattern pattern, Position position, SelectorLimits limits) {
        String text = pattern.text();
        int length = 0;
        boolean wild = false;
        boolean afterRun = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                if (afterRun && wild && length > limits.maxFloatingPart()) {
                    throw position.error(
                            ("at most %d characters between two wildcards for any run of"
                                            + " characters if a wildcard for one character is"
                                            + " among them (limit maxFloatingPart)")
                                    .formatted(limits.maxFloatingPart()),
                            Integer.toString(length));
                }
                length = 0;
                wild = false;
                afterRun = true;
            } else {
                wild |= c == '_';
                i += c == LikePattern.ESCAPE ? 1 : 0;
                length++;
            }
        }
    }
}
