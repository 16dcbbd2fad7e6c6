package winnow.selector.diagnose;

/// A word, literal or sign of a text that may not be a selector.
///
/// @param start offset in the text
/// @param end offset after its last character
record Piece(Kind kind, String text, int start, int end) {

    enum Kind {
        NAME,
        KEYWORD,
        NUMBER,
        STRING,
        /// In other quotes than straight single ones.
        FOREIGN_STRING,
        /// From a single quote to the end of the text.
        UNCLOSED_STRING,
        COMPARISON,
        ARITHMETIC,
        OPEN,
        CLOSE,
        COMMA,
        /// A piece that no selector contains.
        FOREIGN,
        /// Before the first and after the last piece.
        NONE
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /// @param word in capitals
    boolean isKeyword(String word) {
        return kind == Kind.KEYWORD && text.equalsIgnoreCase(word);
    }

    boolean isName(String word) {
        return kind == Kind.NAME && text.equalsIgnoreCase(word);
    }

    boolean isTrueOrFalse() {
        return isKeyword("TRUE") || isKeyword("FALSE");
    }

    boolean isAndOrOr() {
        return isKeyword("AND") || isKeyword("OR");
    }

    /// A value without operators, parentheses and sign.
    boolean isValue() {
        return switch (kind) {
            case NAME, NUMBER, STRING -> true;
            default -> isTrueOrFalse();
        };
    }

    boolean isLiteral() {
        return isValue() && kind != Kind.NAME;
    }

    boolean isOrdering() {
        return kind == Kind.COMPARISON && !text.equals("=") && !text.equals("<>");
    }

    /// Of a string in any quotes.
    String content() {
        return text.substring(1, text.length() - 1).replace("''", "'");
    }

    static String quoted(String content) {
        return "'" + content.replace("'", "''") + "'";
    }
}
