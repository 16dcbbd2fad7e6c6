package winnow.selector.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import winnow.selector.diagnose.Piece.Kind;

/// Cuts any text into pieces. What no selector contains becomes a piece of its own.
final class Scanner {

    private static final Set<String> KEYWORDS =
            Set.of(
                    "AND", "BETWEEN", "ESCAPE", "FALSE", "IN", "IS", "LIKE", "NOT", "NULL", "OR",
                    "TRUE");

    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");

    /// Longest first.
    private static final List<String> FOREIGN_SIGNS =
            List.of("===", "!==", "==", "!=", "^=", "~=", "=~", "=<", "=>", ":=", "&&", "||");

    /// Opening quotes of all kinds, each before those that close it.
    private static final List<String> QUOTES =
            List.of("\"\"", "``", "‘’‘", "’’‘", "‚‘’", "“”“", "””“", "„“”", "«»", "‹›", "´´");

    private final String text;
    private final List<Piece> pieces = new ArrayList<>();
    private int at;

    Scanner(String text) {
        this.text = text;
    }

    static boolean isKeyword(String word) {
        return KEYWORDS.contains(word.toUpperCase(Locale.ROOT));
    }

    static boolean isName(String word) {
        return !word.isEmpty()
                && Character.isJavaIdentifierStart(word.codePointAt(0))
                && word.codePoints().allMatch(Character::isJavaIdentifierPart)
                && !isKeyword(word);
    }

    List<Piece> scan() {
        while (at < text.length()) {
            int c = text.codePointAt(at);
            if (" \t\f\r\n".indexOf(c) >= 0) {
                at++;
            } else if (Character.isJavaIdentifierStart(c)) {
                word();
            } else if (isDigit(at) || (c == '.' && isDigit(at + 1))) {
                number();
            } else if (c == '\'') {
                string();
            } else if (!foreignString(c) && !comment()) {
                sign(c);
            }
        }
        return pieces;
    }

    private void add(Kind kind, int end) {
        pieces.add(new Piece(kind, text.substring(at, end), at, end));
        at = end;
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private void word() {
        int end = at;
        while (end < text.length() && Character.isJavaIdentifierPart(text.codePointAt(end))) {
            end += Character.charCount(text.codePointAt(end));
        }
        add(isKeyword(text.substring(at, end)) ? Kind.KEYWORD : Kind.NAME, end);
    }

    /// As the grammar: letters, digits, `_` and dots, and the sign of an exponent.
    private void number() {
        int end = at;
        while (end < text.length()) {
            char c = text.charAt(end);
            boolean exponentSign =
                    (c == '+' || c == '-')
                            && "eEpP".indexOf(text.charAt(end - 1)) >= 0
                            && isDigit(end + 1)
                            && isExponent(end);
            boolean part =
                    (c >= '0' && c <= '9')
                            || (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || c == '_'
                            || c == '.';
            if (!part && !exponentSign) {
                break;
            }
            end++;
        }
        add(Kind.NUMBER, end);
    }

    /// `1e+5` and `0x1p-3` have a sign in them, `0x1e+5` is a sum.
    private boolean isExponent(int sign) {
        boolean hexadecimal = text.startsWith("0x", at) || text.startsWith("0X", at);
        return hexadecimal == (Character.toLowerCase(text.charAt(sign - 1)) == 'p');
    }

    private void string() {
        int end = at + 1;
        while (end < text.length()) {
            if (text.charAt(end) == '\'') {
                if (end + 1 < text.length() && text.charAt(end + 1) == '\'') {
                    end++;
                } else {
                    add(Kind.STRING, end + 1);
                    return;
                }
            }
            end++;
        }
        add(Kind.UNCLOSED_STRING, text.length());
    }

    private boolean foreignString(int c) {
        for (String quotes : QUOTES) {
            if (quotes.charAt(0) != c) {
                continue;
            }
            for (int end = at + 1; end < text.length(); end++) {
                if (quotes.indexOf(text.charAt(end), 1) > 0) {
                    add(Kind.FOREIGN_STRING, end + 1);
                    return true;
                }
            }
        }
        return false;
    }

    /// `--5` is no comment but two signs.
    private boolean comment() {
        if (text.startsWith("--", at) && !isDigit(at + 2)) {
            int end = text.indexOf('\n', at);
            add(Kind.FOREIGN, end < 0 ? text.length() : end);
            return true;
        }
        if (text.startsWith("/*", at)) {
            int end = text.indexOf("*/", at + 2);
            add(Kind.FOREIGN, end < 0 ? text.length() : end + 2);
            return true;
        }
        return false;
    }

    private void sign(int c) {
        for (String sign : FOREIGN_SIGNS) {
            if (text.startsWith(sign, at)) {
                add(Kind.FOREIGN, at + sign.length());
                return;
            }
        }
        if (text.startsWith("--", at)) {
            add(Kind.FOREIGN, at + 2);
            return;
        }
        int two = Math.min(at + 2, text.length());
        if (COMPARISONS.contains(text.substring(at, two))) {
            add(Kind.COMPARISON, two);
            return;
        }
        Kind kind =
                switch (c) {
                    case '=', '<', '>' -> Kind.COMPARISON;
                    case '+', '-', '*', '/' -> Kind.ARITHMETIC;
                    case '(' -> Kind.OPEN;
                    case ')' -> Kind.CLOSE;
                    case ',' -> Kind.COMMA;
                    default -> Kind.FOREIGN;
                };
        add(kind, at + Character.charCount(c));
    }
}
