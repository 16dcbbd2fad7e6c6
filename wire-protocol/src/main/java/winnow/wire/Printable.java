package winnow.wire;

import java.util.function.IntPredicate;

/// Shows what the other side of a connection wrote, so that it neither fills a log nor begins a
/// line of its own there, and no terminal obeys it.
public final class Printable {
    private static final int MAX_SHOWN_CHARACTERS = 100;

    /// Longest message: it may quote a name or two of 1 KiB.
    private static final int MAX_MESSAGE_CHARACTERS = 4096;

    /// Length kept of the end of a longer one: what to do is said behind what is quoted.
    private static final int END_CHARACTERS = 1024;

    /// Room for what stands in place of the middle, so that what was cut is not cut again.
    private static final int NOTE_CHARACTERS = 64;

    /// Length looked at for what is shown: a name may be as long as a frame.
    private static final int MAX_LOOKED_AT = 1000;

    private Printable() {}

    /// The text without characters that a terminal would obey, and no longer than a name may be.
    public static String of(String text) {
        String shown = line(beginning(text));
        return shown.codePointCount(0, shown.length()) > MAX_SHOWN_CHARACTERS
                ? shown.substring(0, shown.offsetByCodePoints(0, MAX_SHOWN_CHARACTERS)) + "..."
                : shown;
    }

    private static String beginning(String text) {
        if (text.length() <= MAX_LOOKED_AT) {
            return text;
        }
        boolean inPair = Character.isHighSurrogate(text.charAt(MAX_LOOKED_AT - 1));
        return text.substring(0, inPair ? MAX_LOOKED_AT - 1 : MAX_LOOKED_AT);
    }

    /// A message that may quote what the other side sent, which can be as long as a frame: its
    /// middle is left out if it is too long.
    public static String message(String text) {
        int length = text.length();
        if (length <= MAX_MESSAGE_CHARACTERS) {
            return text;
        }
        int head = MAX_MESSAGE_CHARACTERS - END_CHARACTERS - NOTE_CHARACTERS;
        return "%s... (%d characters left out) ...%s"
                .formatted(
                        text.substring(0, head),
                        length - head - END_CHARACTERS,
                        text.substring(length - END_CHARACTERS));
    }

    /// The text without characters that a terminal would obey, whole.
    public static String line(String text) {
        return shown(text, Printable::isShown);
    }

    /// The same with its ends of lines.
    public static String lines(String text) {
        return shown(text, one -> one == '\n' || isShown(one));
    }

    private static String shown(String text, IntPredicate isShown) {
        if (text.codePoints().allMatch(isShown)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().map(one -> isShown.test(one) ? one : '?').forEach(shown::appendCodePoint);
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
