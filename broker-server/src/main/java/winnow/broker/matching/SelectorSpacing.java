package winnow.broker.matching;

/// White space in the text of selectors.
public final class SelectorSpacing {
    private static final String WHITE_SPACE = " \t\f\n\r";
    private static final String SIGNS = "()=<>+-*/,'";

    private SelectorSpacing() {}

    /// The text of a valid selector with no more white space outside of strings than its words
    /// need: two selectors of the same words have the same.
    public static String least(String selector) {
        StringBuilder text = new StringBuilder(selector.length());
        boolean inString = false;
        boolean space = false;
        for (int i = 0; i < selector.length(); i++) {
            char c = selector.charAt(i);
            if (!inString && WHITE_SPACE.indexOf(c) >= 0) {
                space = true;
                continue;
            }
            if (space && separates(text, c)) {
                text.append(' ');
            }
            space = false;
            text.append(c);
            inString ^= c == '\'';
        }
        return text.toString();
    }

    /// True if what is written and what follows would be another word without a space.
    private static boolean separates(StringBuilder written, char next) {
        if (written.isEmpty()) {
            return false;
        }
        char last = written.charAt(written.length() - 1);
        boolean words = SIGNS.indexOf(last) < 0 && SIGNS.indexOf(next) < 0;
        return words || (last == '\'' && next == '\'');
    }
}
