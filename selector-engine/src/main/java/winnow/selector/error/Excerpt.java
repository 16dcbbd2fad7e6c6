package winnow.selector.error;

/// Shows a place in a text of any length: at most [#COLUMNS] of its line, with a mark below.
public final class Excerpt {

    /// Of a line that is shown.
    public static final int COLUMNS = 72;

    private static final char CUT = '…';

    private Excerpt() {}

    /// Two lines: the source and the mark.
    ///
    /// @param start offset of what is marked
    /// @param length of what is marked, in code points; at least one is
    public static String marked(String text, int start, int length) {
        int lineStart = text.lastIndexOf('\n', start - 1) + 1;
        int lineEnd = text.indexOf('\n', start);
        String line = text.substring(lineStart, lineEnd < 0 ? text.length() : lineEnd);
        int[] points = line.stripTrailing().codePoints().toArray();
        int column = text.codePointCount(lineStart, start);
        int from = points.length <= COLUMNS ? 0 : Math.max(0, column - COLUMNS / 2);
        int to = Math.min(points.length, from + COLUMNS);
        StringBuilder source = new StringBuilder();
        StringBuilder mark = new StringBuilder();
        if (from > 0) {
            source.append(CUT);
            mark.append(' ');
        }
        for (int i = from; i < Math.max(to, column); i++) {
            int point = i < points.length ? points[i] : ' ';
            source.appendCodePoint(point == '\t' ? point : visible(point));
            if (i < column) {
                mark.append(point == '\t' ? '\t' : ' ');
            }
        }
        mark.repeat('^', Math.max(1, Math.min(length, to - column)));
        if (to < points.length) {
            source.append(CUT);
        }
        return source + "\n" + mark;
    }

    /// A part of a one-line text around an offset, or all of it if it is no longer than that.
    ///
    /// @param columns how much is shown, in UTF-16 units
    public static String around(String text, int offset, int columns) {
        if (text.length() <= columns) {
            return text;
        }
        int from = Math.clamp(offset - columns / 4L, 0, text.length() - columns);
        int to = from + columns;
        from -= isInsidePair(text, from) ? 1 : 0;
        to += isInsidePair(text, to) ? 1 : 0;
        return (from > 0 ? CUT : "") + text.substring(from, to) + (to < text.length() ? CUT : "");
    }

    private static boolean isInsidePair(String text, int index) {
        return index > 0
                && index < text.length()
                && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
    }

    /// The text with control characters as their pictures, so that it is one line that a terminal
    /// and a log show as it is.
    public static String visible(String text) {
        if (text.codePoints().noneMatch(Excerpt::isControl)) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(point -> visible.appendCodePoint(visible(point)));
        return visible.toString();
    }

    private static int visible(int point) {
        if (!isControl(point)) {
            return point;
        }
        if (point < ' ') {
            return '\u2400' + point;
        }
        return point == 0x7F ? '\u2421' : '\uFFFD';
    }

    /// Also what orders characters anew or ends lines, and halves of surrogate pairs.
    public static boolean isControl(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    true;
            default -> (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
        };
    }
}
