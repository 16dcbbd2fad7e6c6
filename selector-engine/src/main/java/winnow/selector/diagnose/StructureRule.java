package winnow.selector.diagnose;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import winnow.selector.diagnose.Piece.Kind;
import winnow.selector.error.Excerpt;

/// Parentheses without a partner, and operands and operators that are missing.
final class StructureRule implements MistakeRule {

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        parentheses(pieces, found);
        for (int i = 0; i < pieces.size(); i++) {
            joined(pieces, i).ifPresent(found);
        }
    }

    private static void parentheses(Pieces pieces, Consumer<Mistake> found) {
        Deque<Piece> open = new ArrayDeque<>();
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.OPEN)) {
                open.push(piece);
            } else if (piece.is(Kind.CLOSE) && open.poll() == null) {
                found.accept(Mistake.of(piece, "this parenthesis was never opened", ""));
            }
        }
        int end = pieces.get(pieces.size() - 1).end();
        for (Piece piece : open) {
            found.accept(
                    new Mistake(
                            piece.start(),
                            piece.end(),
                            "this parenthesis is not closed",
                            List.of(new Edit(end, end, ")"))));
        }
    }

    private static Optional<Mistake> joined(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        Piece next = pieces.get(i + 1);
        if (piece.isAndOrOr() && !isPartOfBetween(pieces, i)) {
            return conjunction(pieces, i);
        }
        if (piece.isKeyword("NOT") && next.is(Kind.NONE)) {
            return Optional.of(remove(pieces, i, "NOT stands before a condition"));
        }
        if (piece.is(Kind.COMPARISON)) {
            return operand(pieces, i);
        }
        if (piece.is(Kind.COMMA) && !isInList(pieces, i)) {
            return comma(pieces, i);
        }
        return hyphenated(pieces, i).or(() -> neighbours(pieces, i));
    }

    private static Optional<Mistake> conjunction(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        Piece previous = pieces.get(i - 1);
        Piece next = pieces.get(i + 1);
        boolean nothingBefore = previous.is(Kind.NONE) || previous.is(Kind.OPEN);
        if (nothingBefore && !next.is(Kind.COMPARISON)) {
            return Optional.of(remove(pieces, i, "no condition stands before " + piece.text()));
        }
        if (nothingBefore) {
            return Optional.of(
                    Mistake.uncorrected(
                            piece,
                            piece.text()
                                    + " is a keyword, so it cannot be a name; the property needs"
                                    + " another name"));
        }
        if (next.is(Kind.NONE) || next.is(Kind.CLOSE)) {
            return Optional.of(remove(pieces, i, "no condition stands behind " + piece.text()));
        }
        if (next.isAndOrOr()) {
            return Optional.of(
                    remove(
                            pieces,
                            i,
                            "no condition stands between " + piece.text() + " and " + next.text()));
        }
        return loneValue(pieces, i);
    }

    /// `a = 'x' OR 'y'`, where the name is not repeated.
    private static Optional<Mistake> loneValue(Pieces pieces, int i) {
        Piece value = pieces.get(i + 1);
        Piece behind = pieces.get(i + 2);
        boolean alone =
                (value.is(Kind.STRING) || value.is(Kind.NUMBER))
                        && (behind.is(Kind.NONE) || behind.is(Kind.CLOSE) || behind.isAndOrOr());
        if (!alone) {
            return Optional.empty();
        }
        int first = i;
        while (pieces.get(first - 1).isLiteral()
                && pieces.get(first - 2).isKeyword(pieces.get(i).text().toUpperCase(Locale.ROOT))) {
            first -= 2;
        }
        Piece name = pieces.get(first - 3);
        Piece comparison = pieces.get(first - 2);
        boolean repeatable =
                name.is(Kind.NAME)
                        && comparison.is(Kind.COMPARISON)
                        && pieces.get(first - 1).isLiteral()
                        && !pieces.get(first - 4).is(Kind.ARITHMETIC)
                        && pieces.get(i).isKeyword("OR") == comparison.text().equals("=");
        String problem =
                "%s is a value, not a condition; each comparison names its property"
                        .formatted(shown(value));
        String begin = name.text() + " " + comparison.text() + " ";
        return Optional.of(
                new Mistake(
                        value.start(),
                        value.end(),
                        problem,
                        repeatable
                                ? List.of(new Edit(value.start(), value.start(), begin))
                                : List.of()));
    }

    private static String shown(Piece piece) {
        return Excerpt.around(piece.text(), 0, 40);
    }

    private static Mistake remove(Pieces pieces, int i, String problem) {
        Piece piece = pieces.get(i);
        int end = pieces.get(i + 1).is(Kind.NONE) ? piece.end() : pieces.get(i + 1).start();
        int start =
                pieces.get(i + 1).is(Kind.NONE) || pieces.get(i + 1).is(Kind.CLOSE)
                        ? pieces.get(i - 1).end()
                        : piece.start();
        return new Mistake(piece.start(), piece.end(), problem, List.of(new Edit(start, end, "")));
    }

    private static Optional<Mistake> operand(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        Piece previous = pieces.get(i - 1);
        Piece next = pieces.get(i + 1);
        boolean left = previous.is(Kind.NONE) || previous.is(Kind.OPEN) || previous.isAndOrOr();
        boolean right = next.is(Kind.NONE) || next.is(Kind.CLOSE) || next.isAndOrOr();
        if (!left && !right) {
            return Optional.empty();
        }
        String side = left ? "left" : "right";
        return Optional.of(
                Mistake.uncorrected(
                        piece,
                        "the value on the %s of %s is missing".formatted(side, piece.text())));
    }

    private static Optional<Mistake> comma(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        Piece left = pieces.get(i - 1);
        Piece right = pieces.get(i + 1);
        if (left.is(Kind.NUMBER) && right.is(Kind.NUMBER) && pieces.touchesNext(i)) {
            boolean thousands = right.text().matches("[0-9]{3}");
            return Optional.of(
                    Mistake.of(
                            piece,
                            thousands
                                    ? "numbers have no commas between thousands"
                                    : "fractions are written with a point, not a comma",
                            thousands ? "" : "."));
        }
        boolean conditions = pieces.beginsValue(i + 1) || right.isKeyword("NOT");
        return conditions && !left.is(Kind.NONE)
                ? Optional.of(
                        new Mistake(
                                piece.start(),
                                piece.end(),
                                "conditions are joined by AND or OR, not by a comma",
                                List.of(new Edit(piece.start(), piece.end(), " AND"))))
                : Optional.empty();
    }

    /// True if a comma is in the parentheses of IN or of a function, or of something unknown.
    private static boolean isInList(Pieces pieces, int comma) {
        int depth = 0;
        for (int i = comma - 1; i >= 0; i--) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.CLOSE)) {
                depth++;
            } else if (piece.is(Kind.OPEN) && --depth < 0) {
                Piece before = pieces.get(i - 1);
                return before.is(Kind.NAME)
                        || before.isKeyword("IN")
                        || before.isKeyword("BETWEEN");
            } else if (piece.isKeyword("IN") || piece.isKeyword("BETWEEN")) {
                return depth == 0;
            }
        }
        return false;
    }

    /// Two operands with nothing between them.
    private static Optional<Mistake> neighbours(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        Piece next = pieces.get(i + 1);
        boolean ends = piece.isValue() || piece.is(Kind.CLOSE);
        boolean begins = next.isValue() || (next.is(Kind.OPEN) && !piece.is(Kind.NAME));
        if (!ends || !begins || (pieces.touchesNext(i) && !piece.is(Kind.CLOSE))) {
            return Optional.empty();
        }
        Piece previous = pieces.get(i - 1);
        boolean compared = previous.is(Kind.COMPARISON) || piece.is(Kind.CLOSE);
        Piece behind = pieces.get(i + 2);
        boolean comparison =
                behind.is(Kind.COMPARISON)
                        || List.of("IS", "IN", "LIKE", "BETWEEN", "NOT").stream()
                                .anyMatch(behind::isKeyword);
        int at = piece.end();
        if (compared && (comparison || next.is(Kind.OPEN))) {
            return Optional.of(
                    new Mistake(
                            next.start(),
                            next.end(),
                            "AND or OR is missing before " + shown(next),
                            List.of(new Edit(at, at, " AND"))));
        }
        boolean free = !previous.isValue() && !previous.is(Kind.COMPARISON) && !comparison;
        if (piece.is(Kind.NAME) && next.is(Kind.NAME) && free && behind.is(Kind.NONE)) {
            return Optional.of(
                    Mistake.uncorrected(
                            next,
                            "an operator is missing between %s and %s"
                                    .formatted(shown(piece), shown(next))));
        }
        if (piece.is(Kind.NAME) && next.isLiteral() && free) {
            return Optional.of(
                    new Mistake(
                            next.start(),
                            next.end(),
                            "an operator is missing between %s and %s"
                                    .formatted(shown(piece), shown(next)),
                            List.of(new Edit(at, at, " ="))));
        }
        return Optional.empty();
    }

    /// `order-id` where a condition belongs.
    private static Optional<Mistake> hyphenated(Pieces pieces, int i) {
        Piece before = pieces.get(i - 1);
        Piece behind = pieces.get(i + 3);
        boolean condition =
                (before.is(Kind.NONE)
                                || before.isKeyword("NOT")
                                || (before.isAndOrOr() && !isPartOfBetween(pieces, i - 1)))
                        && (behind.is(Kind.NONE) || behind.isAndOrOr());
        boolean hyphenated =
                pieces.get(i).is(Kind.NAME)
                        && pieces.get(i + 1).text().equals("-")
                        && pieces.get(i + 2).is(Kind.NAME)
                        && pieces.touchesNext(i)
                        && pieces.touchesNext(i + 1);
        if (!condition || !hyphenated) {
            return Optional.empty();
        }
        return Optional.of(
                Mistake.of(
                        pieces.get(i).start(),
                        pieces.get(i + 2).end(),
                        pieces.text(i, i + 2)
                                + " is a subtraction, because names have no hyphens; the property"
                                + " needs another name",
                        pieces.get(i).text() + "_" + pieces.get(i + 2).text()));
    }

    /// Also in parentheses, where BETWEEN has none.
    private static boolean isPartOfBetween(Pieces pieces, int and) {
        int start = pieces.operandStart(and);
        return pieces.get(start - 1).isKeyword("BETWEEN")
                || (pieces.get(start - 1).is(Kind.OPEN)
                        && pieces.get(start - 2).isKeyword("BETWEEN"));
    }
}
