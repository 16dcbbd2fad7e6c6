package winnow.selector.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import winnow.selector.diagnose.Piece.Kind;

/// IN with what is not a list of strings in parentheses.
final class ListRule implements MistakeRule {

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.get(i).isKeyword("IN") && !pieces.get(i + 1).is(Kind.COMPARISON)) {
                in(pieces, i, found);
            }
        }
    }

    private static void in(Pieces pieces, int in, Consumer<Mistake> found) {
        Piece first = pieces.get(in + 1);
        if (first.isLiteral()) {
            int end = in + 1;
            while (pieces.get(end + 1).is(Kind.COMMA) && pieces.get(end + 2).isLiteral()) {
                end += 2;
            }
            int close = pieces.get(end).end();
            found.accept(
                    new Mistake(
                            first.start(),
                            close,
                            "the strings of IN are in parentheses",
                            List.of(
                                    new Edit(first.start(), first.start(), "("),
                                    new Edit(close, close, ")"))));
        } else if (first.text().equals("[") || first.text().equals("{")) {
            bracketed(pieces, in + 1, found);
        } else if (first.is(Kind.OPEN)) {
            int close = pieces.closing(in + 1);
            if (close > 0) {
                list(pieces, in, close, found);
            }
        }
    }

    private static void bracketed(Pieces pieces, int open, Consumer<Mistake> found) {
        Piece first = pieces.get(open);
        String closing = first.text().equals("[") ? "]" : "}";
        for (int i = open + 1; i < pieces.size(); i++) {
            Piece last = pieces.get(i);
            if (last.text().equals(closing)) {
                found.accept(
                        new Mistake(
                                first.start(),
                                last.end(),
                                "the strings of IN are in parentheses, not in "
                                        + first.text()
                                        + closing,
                                List.of(
                                        new Edit(first.start(), first.end(), "("),
                                        new Edit(last.start(), last.end(), ")"))));
                return;
            }
        }
    }

    private static void list(Pieces pieces, int in, int close, Consumer<Mistake> found) {
        if (close == in + 2) {
            found.accept(
                    new Mistake(
                            pieces.get(in).start(),
                            pieces.get(close).end(),
                            "IN needs at least one string",
                            List.of()));
            return;
        }
        List<String> values = new ArrayList<>();
        boolean strings = true;
        boolean names = true;
        for (int i = in + 2; i < close; i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.COMMA)) {
                continue;
            }
            boolean signed = piece.text().equals("-") || piece.text().equals("+");
            if (signed && pieces.get(i + 1).is(Kind.NUMBER)) {
                i++;
            } else if (!piece.isValue() && !piece.isKeyword("NULL")) {
                return;
            }
            strings &= piece.is(Kind.STRING);
            names &= piece.is(Kind.STRING) || piece.is(Kind.NAME);
            values.add((signed ? piece.text() : "") + pieces.get(i).text());
        }
        if (strings) {
            commas(pieces, in, close, values, found);
        } else if (names && close - in - 2 == 2 * values.size() - 1) {
            unquoted(pieces, in, close, found);
        } else if (!names) {
            alternatives(pieces, in, close, values, found);
        }
    }

    private static void commas(
            Pieces pieces, int in, int close, List<String> values, Consumer<Mistake> found) {
        int commas = close - in - 2 - values.size();
        if (commas != values.size() - 1 || pieces.get(close - 1).is(Kind.COMMA)) {
            found.accept(
                    Mistake.of(
                            pieces.get(in + 1).start(),
                            pieces.get(close).end(),
                            "one comma stands between two strings of IN",
                            "(" + String.join(", ", values) + ")"));
        }
    }

    private static void unquoted(Pieces pieces, int in, int close, Consumer<Mistake> found) {
        List<Edit> edits = new ArrayList<>();
        for (int i = in + 2; i < close; i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.NAME)) {
                edits.add(new Edit(piece.start(), piece.end(), Piece.quoted(piece.text())));
            }
        }
        found.accept(
                new Mistake(
                        pieces.get(in + 2).start(),
                        pieces.get(close - 1).end(),
                        "IN compares with strings, which are in single quotes",
                        edits));
    }

    /// `x IN (1, 2)` is `(x = 1 OR x = 2)`; NOT IN is NOT of it.
    private static void alternatives(
            Pieces pieces, int in, int close, List<String> values, Consumer<Mistake> found) {
        boolean negated = pieces.get(in - 1).isKeyword("NOT");
        int name = negated ? in - 2 : in - 1;
        String problem = "IN compares with strings only; other values are compared by = and OR";
        int start = pieces.get(in).start();
        int end = pieces.get(close).end();
        if (!pieces.get(name).is(Kind.NAME)
                || pieces.get(name - 1).is(Kind.ARITHMETIC)
                || pieces.get(name - 1).is(Kind.COMPARISON)) {
            found.accept(new Mistake(start, end, problem, List.of()));
            return;
        }
        String left = pieces.get(name).text();
        List<String> comparisons =
                values.stream()
                        .map(value -> left + (isNull(value) ? " IS NULL" : " = " + value))
                        .toList();
        boolean whole =
                (!negated && name == 0 && close == pieces.size() - 1) || comparisons.size() == 1;
        String joined = String.join(" OR ", comparisons);
        String grouped = whole && !negated ? joined : "(" + joined + ")";
        found.accept(
                new Mistake(
                        start,
                        end,
                        problem,
                        List.of(
                                new Edit(
                                        pieces.get(name).start(),
                                        end,
                                        (negated ? "NOT " : "") + grouped))));
    }

    private static boolean isNull(String value) {
        return value.equalsIgnoreCase("NULL");
    }
}
