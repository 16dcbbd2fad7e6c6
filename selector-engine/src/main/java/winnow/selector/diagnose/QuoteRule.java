package winnow.selector.diagnose;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import winnow.selector.diagnose.Piece.Kind;

/// Strings and names in wrong quotes, and strings that do not end.
final class QuoteRule implements MistakeRule {

    private static final String TYPOGRAPHIC = "‘’‚“”„´`";

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.FOREIGN_STRING)) {
                found.accept(foreign(pieces, i));
            } else if (piece.is(Kind.UNCLOSED_STRING)) {
                found.accept(unclosed(pieces, i));
            } else if (piece.is(Kind.FOREIGN) && isQuote(piece.text())) {
                found.accept(
                        Mistake.uncorrected(
                                piece, "strings are in straight single quotes, as in 'text'"));
            }
        }
    }

    private static boolean isQuote(String text) {
        return text.equals("\"") || TYPOGRAPHIC.contains(text) || "«»‹›".contains(text);
    }

    private static Mistake foreign(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        String content = piece.text().substring(1, piece.text().length() - 1);
        boolean asName =
                !isAfterComparison(pieces.get(i - 1)) && isBeforeComparison(pieces.get(i + 1));
        char quote = piece.text().charAt(0);
        if ((asName || quote == '`') && Scanner.isName(content)) {
            return Mistake.of(piece, "names are written without quotes", content);
        }
        String plain = content.replace('-', '_').replace('.', '_');
        if (asName && Scanner.isName(plain)) {
            return Mistake.of(
                    piece,
                    "names have no quotes, hyphens or dots; the property needs another name",
                    plain);
        }
        String found = quote == '"' ? "double quotes" : "typographic quotes";
        String problem =
                quote == '`'
                        ? "strings are in straight single quotes ('), not in backquotes"
                        : "strings are in straight single quotes ('), not in " + found;
        return Mistake.of(piece, problem, Piece.quoted(content));
    }

    private static boolean isAfterComparison(Piece piece) {
        return piece.is(Kind.COMPARISON) || piece.is(Kind.FOREIGN) || piece.isKeyword("LIKE");
    }

    private static boolean isBeforeComparison(Piece piece) {
        return piece.is(Kind.COMPARISON)
                || List.of("IN", "LIKE", "BETWEEN", "IS", "NOT").stream().anyMatch(piece::isKeyword)
                || (piece.is(Kind.FOREIGN) && piece.text().contains("="));
    }

    /// The quote that is reported is the one that opened the string, which need not be the last of
    /// the text: after a missing quote, every string is taken for what is between two strings.
    private static Mistake unclosed(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        String text = pieces.text();
        Piece previous = pieces.get(i - 1);
        boolean apostrophe =
                pieces.get(i - 2).is(Kind.STRING)
                        && pieces.touchesNext(i - 2)
                        && previous.is(Kind.NAME)
                        && pieces.touchesNext(i - 1);
        if (apostrophe) {
            return afterString(pieces, i);
        }
        String problem = "the string that begins here has no closing quote";
        String content = piece.text().substring(1);
        if (content.isBlank() && previous.is(Kind.NAME) && pieces.touchesNext(i - 1)) {
            return new Mistake(
                    previous.start(),
                    piece.end(),
                    "the string has a closing quote but no opening one",
                    List.of(new Edit(previous.start(), previous.start(), "'")));
        }
        int typographic = firstOf(content, TYPOGRAPHIC);
        if (typographic >= 0) {
            int at = piece.start() + 1 + typographic;
            return new Mistake(
                    piece.start(),
                    at + 1,
                    "strings end with a straight single quote ('), not with a typographic one",
                    List.of(new Edit(at, at + 1, "'")));
        }
        int end = piece.start() + 1 + wordsEnd(content);
        return new Mistake(
                piece.start(),
                piece.start() + 1,
                problem,
                List.of(new Edit(end, end, closing(text, end))));
    }

    private static String closing(String text, int end) {
        return end < text.length() && text.charAt(end) == '\'' ? "' " : "'";
    }

    /// `'O'Brien'`, `'it\'s'` or `'x AND y = 'z'`: a string, a name right behind it, and a quote.
    private static Mistake afterString(Pieces pieces, int i) {
        Piece string = pieces.get(i - 2);
        Piece name = pieces.get(i - 1);
        int join = wordsEnd(string.text().substring(1, string.text().length() - 1));
        int joinAt = string.start() + 1 + join;
        if (join < string.text().length() - 2) {
            return new Mistake(
                    string.start(),
                    string.start() + 1,
                    "the string that begins here has no closing quote",
                    List.of(new Edit(joinAt, joinAt, "'")));
        }
        int quote = string.end() - 1;
        boolean escaped = pieces.text().charAt(quote - 1) == '\\' && quote - 1 > string.start();
        return new Mistake(
                escaped ? quote - 1 : quote,
                name.start(),
                escaped
                        ? "a quote within a string is doubled (''), not escaped with a backslash"
                        : "a quote within a string is doubled ('')",
                List.of(new Edit(escaped ? quote - 1 : quote, quote + 1, "''")));
    }

    /// Index at which a string probably ends: before AND, OR or a parenthesis that closes one
    /// before it.
    private static int wordsEnd(String content) {
        String upper = content.toUpperCase(Locale.ROOT);
        int end = content.stripTrailing().length();
        for (String word : List.of(" AND ", " OR ")) {
            int at = upper.indexOf(word);
            end = at > 0 && at < end ? at : end;
        }
        return upper.length() == content.length() ? end : content.stripTrailing().length();
    }

    private static int firstOf(String content, String characters) {
        for (int i = 0; i < content.length(); i++) {
            if (characters.indexOf(content.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }
}
