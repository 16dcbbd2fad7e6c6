package winnow.selector.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.selector.diagnose.Piece.Kind;

/// Operations that other languages have for strings: ILIKE, regular expressions, functions.
final class PatternRule implements MistakeRule {

    private static final List<String> REGULAR = List.of("REGEXP", "RLIKE", "MATCHES", "REGEX");

    /// A regular expression that LIKE can say.
    private static final Pattern SIMPLE =
            Pattern.compile("(\\^?)(\\.\\*)?([A-Za-z0-9 #:/-]+)(\\.\\*)?(\\$?)");

    /// Functions of two arguments that LIKE can say; `_` stands for the text.
    private static final Map<String, String> PARTS =
            Map.of(
                    "STARTSWITH", "_%",
                    "STARTS_WITH", "_%",
                    "ENDSWITH", "%_",
                    "ENDS_WITH", "%_",
                    "CONTAINS", "%_%");

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            Piece next = pieces.get(i + 1);
            if (piece.isName("ILIKE") && next.is(Kind.STRING)) {
                ilike(pieces, i, found);
            } else if (isRegular(piece) && next.is(Kind.STRING)) {
                regular(pieces, i, found);
            } else if (piece.is(Kind.NAME) && next.is(Kind.OPEN) && !isArgument(pieces, i)) {
                found.accept(function(pieces, i));
            } else if (piece.isKeyword("LIKE")) {
                like(pieces, i, found);
            } else if (piece.isKeyword("ESCAPE") && next.is(Kind.STRING)) {
                escape(pieces, i, found);
            }
        }
    }

    private static boolean isRegular(Piece piece) {
        return piece.text().equals("=~") || REGULAR.stream().anyMatch(piece::isName);
    }

    /// ISNULL( and similar are functions; a name before AND ( is none.
    private static boolean isArgument(Pieces pieces, int i) {
        return pieces.get(i - 1).is(Kind.NAME);
    }

    private static void ilike(Pieces pieces, int i, Consumer<Mistake> found) {
        String problem = "LIKE tells capitals from small letters, and there is no ILIKE";
        boolean negated = pieces.get(i - 1).isKeyword("NOT");
        int name = negated ? i - 2 : i - 1;
        Piece piece = pieces.get(i);
        if (!pieces.get(name).is(Kind.NAME)) {
            found.accept(Mistake.uncorrected(piece, problem));
            return;
        }
        String likes = likes(pieces.get(name).text(), pieces.get(i + 1).content());
        String edit = (negated ? "NOT " : "") + grouped(pieces, name, i + 1, likes, negated);
        found.accept(
                new Mistake(
                        piece.start(),
                        piece.end(),
                        problem + "; list the spellings that occur",
                        List.of(
                                new Edit(
                                        pieces.get(name).start(), pieces.get(i + 1).end(), edit))));
    }

    private static String likes(String name, String pattern) {
        List<String> likes = new ArrayList<>();
        for (String spelling : Spelling.cases(pattern)) {
            likes.add(name + " LIKE " + Piece.quoted(spelling));
        }
        return String.join(" OR ", likes);
    }

    private static String grouped(
            Pieces pieces, int first, int last, String alternatives, boolean always) {
        boolean whole = first == 0 && last == pieces.size() - 1 && !always;
        boolean single = !alternatives.contains(" OR ");
        return whole || (single && !always) ? alternatives : "(" + alternatives + ")";
    }

    private static void regular(Pieces pieces, int i, Consumer<Mistake> found) {
        String problem =
                "there are no regular expressions; LIKE has % for any text and _ for a character";
        Piece piece = pieces.get(i);
        Piece string = pieces.get(i + 1);
        Matcher simple = SIMPLE.matcher(string.content());
        if (!simple.matches()) {
            found.accept(Mistake.uncorrected(piece, problem));
            return;
        }
        boolean begins = !simple.group(1).isEmpty() && simple.group(2) == null;
        boolean ends = !simple.group(5).isEmpty() && simple.group(4) == null;
        String pattern = (begins ? "" : "%") + simple.group(3) + (ends ? "" : "%");
        found.accept(
                new Mistake(
                        piece.start(),
                        piece.end(),
                        problem,
                        List.of(
                                new Edit(
                                        piece.start(),
                                        string.end(),
                                        "LIKE " + Piece.quoted(pattern)))));
    }

    private static Mistake function(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        String name = piece.text().toUpperCase(Locale.ROOT);
        int close = pieces.closing(i + 1);
        String problem = "there are no functions, and so no " + piece.text() + "()";
        if (name.equals("UPPER") || name.equals("LOWER")) {
            problem += "; list the spellings that occur";
        }
        Edit edit = functionEdit(pieces, i, name, close).orElse(null);
        return new Mistake(
                piece.start(),
                close < 0 ? piece.end() : pieces.get(close).end(),
                problem,
                edit == null ? List.of() : List.of(edit));
    }

    private static Optional<Edit> functionEdit(Pieces pieces, int i, String name, int close) {
        Piece property = pieces.get(i + 2);
        if (!property.is(Kind.NAME)) {
            return Optional.empty();
        }
        int start = pieces.get(i).start();
        if (close == i + 3 && (name.equals("ISNULL") || name.equals("EXISTS"))) {
            String test = name.equals("ISNULL") ? " IS NULL" : " IS NOT NULL";
            return Optional.of(new Edit(start, pieces.get(close).end(), property.text() + test));
        }
        if (close == i + 3 && (name.equals("UPPER") || name.equals("LOWER"))) {
            return inAnyCase(pieces, i, close);
        }
        String parts = PARTS.get(name);
        Piece text = pieces.get(i + 4);
        if (parts != null
                && close == i + 5
                && text.is(Kind.STRING)
                && text.content().matches("[^%_]+")) {
            String pattern = Piece.quoted(parts.replace("_", text.content()));
            return Optional.of(
                    new Edit(start, pieces.get(close).end(), property.text() + " LIKE " + pattern));
        }
        return Optional.empty();
    }

    /// `UPPER(x) = 'ABC'` and `UPPER(x) LIKE 'ABC%'`.
    private static Optional<Edit> inAnyCase(Pieces pieces, int i, int close) {
        Piece operator = pieces.get(close + 1);
        Piece string = pieces.get(close + 2);
        if (!string.is(Kind.STRING)) {
            return Optional.empty();
        }
        String name = pieces.get(i + 2).text();
        String edit;
        if (operator.isKeyword("LIKE")) {
            edit = grouped(pieces, i, close + 2, likes(name, string.content()), false);
        } else if (operator.text().equals("=") || operator.text().equals("<>")) {
            List<String> quoted =
                    Spelling.cases(string.content()).stream().map(Piece::quoted).toList();
            String in = operator.text().equals("=") ? " IN (" : " NOT IN (";
            edit = name + in + String.join(", ", quoted) + ")";
        } else {
            return Optional.empty();
        }
        return Optional.of(new Edit(pieces.get(i).start(), string.end(), edit));
    }

    /// A pattern without quotes, as far as the next white space.
    private static void like(Pieces pieces, int like, Consumer<Mistake> found) {
        Piece first = pieces.get(like + 1);
        boolean unquoted = first.is(Kind.NAME) || first.text().equals("%") || first.is(Kind.NUMBER);
        if (!unquoted) {
            return;
        }
        int last = like + 1;
        while (pieces.touchesNext(last)
                && !pieces.get(last + 1).is(Kind.CLOSE)
                && last + 1 < pieces.size()) {
            last++;
        }
        found.accept(
                Mistake.of(
                        first.start(),
                        pieces.get(last).end(),
                        "the pattern of LIKE is a string in single quotes",
                        Piece.quoted(pieces.text(like + 1, last))));
    }

    /// `ESCAPE '\\'`, doubled as in the source of a program.
    private static void escape(Pieces pieces, int i, Consumer<Mistake> found) {
        Piece string = pieces.get(i + 1);
        Piece pattern = pieces.get(i - 1);
        if (string.content().equals("\\\\") && pattern.is(Kind.STRING)) {
            found.accept(
                    new Mistake(
                            string.start(),
                            string.end(),
                            "ESCAPE takes one character, and a backslash is not doubled",
                            List.of(
                                    new Edit(
                                            pattern.start(),
                                            pattern.end(),
                                            pattern.text().replace("\\\\", "\\")),
                                    new Edit(string.start(), string.end(), "'\\'"))));
        }
    }
}
