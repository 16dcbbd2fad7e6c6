package winnow.broker.logging;

/// Shows what a client wrote, so that it neither fills the log nor begins a line of its own.
public final class Printable {
    private static final int MAX_SHOWN_CHARACTERS = 100;

    private Printable() {}

    /// The text without characters that a terminal would obey, and no longer than a name may be.
    public static String of(String text) {
        String shown = line(text);
        return shown.codePointCount(0, shown.length()) > MAX_SHOWN_CHARACTERS
                ? shown.substring(0, shown.offsetByCodePoints(0, MAX_SHOWN_CHARACTERS)) + "..."
                : shown;
    }

    /// The same, whole.
    public static String line(String text) {
        if (text.codePoints().allMatch(Printable::isShown)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().map(one -> isShown(one) ? one : '?').forEach(shown::appendCodePoint);
        return shown.toString();
    }

    private static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
