package winnow.selector.expression;

import java.util.ArrayList;
import java.util.List;

/// The pattern of a LIKE in one normal form, so that equal patterns are equal texts: `_` is one
/// code point, `%` any run of them, and a backslash makes the following `_`, `%` or backslash stand
/// for itself. In a run of wildcards all `_` come first and at most one `%` last: `%_%%_ -> __%`,
/// which accepts the same strings.
public record LikePattern(String text) {

    /// Marks the character after it as an ordinary one.
    public static final char ESCAPE = '\\';

    public static Builder builder() {
        return new Builder();
    }

    /// True if the pattern has no wildcard, so that LIKE is equality with [#unescaped].
    public boolean isExact() {
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '%', '_' -> {
                    return false;
                }
                case ESCAPE -> i++;
                default -> {}
            }
        }
        return true;
    }

    /// The plain text before the first wildcard, which every match begins with.
    public String prefix() {
        return new LikePattern(text.substring(0, endOfText(0))).unescaped();
    }

    /// The plain texts behind the first wildcard, none of them empty. Every match has each of them
    /// somewhere.
    public List<String> innerTexts() {
        List<String> texts = new ArrayList<>();
        for (int start = endOfText(0) + 1; start < text.length(); ) {
            int end = endOfText(start);
            if (end > start) {
                texts.add(new LikePattern(text.substring(start, end)).unescaped());
            }
            start = end + 1;
        }
        return texts;
    }

    /// True if the pattern is one text between two `%`, so that it matches where the text occurs.
    public boolean isTextAnywhere() {
        return text.length() > 2
                && text.charAt(0) == '%'
                && endOfText(1) == text.length() - 1
                && text.endsWith("%");
    }

    /// The index of the first wildcard from an index on, or the length.
    private int endOfText(int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) != '%' && text.charAt(end) != '_') {
            end += text.charAt(end) == ESCAPE ? 2 : 1;
        }
        return end;
    }

    /// The text with the escapes removed; only meaningful for an exact pattern.
    public String unescaped() {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == ESCAPE) {
                i++;
            }
            plain.append(text.charAt(i));
        }
        return plain.toString();
    }

    /// Collects a pattern from left to right and puts it into normal form.
    public static final class Builder {

        private final StringBuilder text = new StringBuilder();
        private boolean endsWithRun;

        private Builder() {}

        public Builder character(int codePoint) {
            endRun();
            if (codePoint == '%' || codePoint == '_' || codePoint == ESCAPE) {
                text.append(ESCAPE);
            }
            text.appendCodePoint(codePoint);
            return this;
        }

        public Builder anyCharacter() {
            text.append('_');
            return this;
        }

        public Builder anyRun() {
            endsWithRun = true;
            return this;
        }

        public LikePattern build() {
            endRun();
            return new LikePattern(text.toString());
        }

        private void endRun() {
            if (endsWithRun) {
                text.append('%');
                endsWithRun = false;
            }
        }
    }
}
