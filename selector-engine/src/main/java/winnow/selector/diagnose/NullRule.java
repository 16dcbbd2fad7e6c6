package winnow.selector.diagnose;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import winnow.selector.diagnose.Piece.Kind;

/// NULL, NOT and IS where they do not belong: `= NULL`, `NOT NULL`, `NOT =`, `IS 5`.
final class NullRule implements MistakeRule {

    private static final Set<String> ABSENT =
            Set.of("MISSING", "EMPTY", "UNKNOWN", "ABSENT", "NIL");

    private static final Map<String, String> NEGATED =
            Map.of("=", "<>", "<>", "=", "<", ">=", "<=", ">", ">", "<=", ">=", "<");

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.isKeyword("NULL")) {
                nullWord(pieces, i, found);
            } else if (piece.isKeyword("NOT") && pieces.get(i + 1).is(Kind.COMPARISON)) {
                not(pieces, i, found);
            } else if (piece.isKeyword("IS")) {
                is(pieces, i, found);
            } else if (piece.isName("ISNULL") && pieces.get(i - 1).is(Kind.NAME)) {
                found.accept(Mistake.of(piece, "ISNULL is written IS NULL", "IS NULL"));
            } else if (piece.isName("NOTNULL") && pieces.get(i - 1).is(Kind.NAME)) {
                found.accept(Mistake.of(piece, "NOTNULL is written IS NOT NULL", "IS NOT NULL"));
            }
        }
    }

    private static void nullWord(Pieces pieces, int i, Consumer<Mistake> found) {
        Piece previous = pieces.get(i - 1);
        Piece next = pieces.get(i + 1);
        if (previous.is(Kind.COMPARISON)) {
            comparedWith(pieces, previous, i - 1, i, found);
        } else if (next.is(Kind.COMPARISON) && pieces.get(i + 2).is(Kind.NAME)) {
            String test = next.text().equals("<>") ? " IS NOT NULL" : " IS NULL";
            found.accept(
                    Mistake.of(
                            pieces.get(i).start(),
                            pieces.get(i + 2).end(),
                            "nothing is equal to NULL;%s tests whether a property is missing"
                                    .formatted(test),
                            pieces.get(i + 2).text() + test));
        } else if (previous.isKeyword("NOT") && pieces.get(i - 2).is(Kind.NAME)) {
            found.accept(
                    Mistake.of(
                            previous.start(),
                            pieces.get(i).end(),
                            "NOT NULL is written IS NOT NULL",
                            "IS NOT NULL"));
        }
    }

    /// `x NOT = 5`.
    private static void not(Pieces pieces, int i, Consumer<Mistake> found) {
        String meant = NEGATED.get(pieces.get(i + 1).text());
        if (pieces.get(i - 1).isValue() && meant != null) {
            String wrong = pieces.text(i, i + 1);
            Edit edit = pieces.words(i, i + 1, meant);
            found.accept(
                    new Mistake(
                            pieces.get(i).start(),
                            pieces.get(i + 1).end(),
                            wrong + " is written " + meant,
                            List.of(edit)));
        }
    }

    private static void comparedWith(
            Pieces pieces, Piece comparison, int first, int last, Consumer<Mistake> found) {
        String test = comparison.text().equals("<>") ? "IS NOT NULL" : "IS NULL";
        Piece end = pieces.get(last);
        String problem =
                "nothing is equal to NULL; %s tests whether a property is missing".formatted(test);
        Edit edit = pieces.words(first, last, test);
        List<Edit> edits =
                comparison.isOrdering() || !pieces.get(first - 1).is(Kind.NAME)
                        ? List.of()
                        : List.of(edit);
        found.accept(new Mistake(comparison.start(), end.end(), problem, edits));
    }

    private static void is(Pieces pieces, int i, Consumer<Mistake> found) {
        Piece is = pieces.get(i);
        if (pieces.get(i - 1).isKeyword("NOT") && pieces.get(i - 2).is(Kind.NAME)) {
            found.accept(
                    Mistake.of(
                            pieces.get(i - 1).start(), is.end(), "NOT stands behind IS", "IS NOT"));
            return;
        }
        boolean not = pieces.get(i + 1).isKeyword("NOT");
        int last = not ? i + 2 : i + 1;
        Piece value = pieces.get(last);
        if (value.is(Kind.NAME) && ABSENT.stream().anyMatch(value::isName)) {
            found.accept(Mistake.of(value, "IS NULL tests whether a property is missing", "NULL"));
        } else if (value.isLiteral() || value.text().equals("-")) {
            String sign = not ? "<>" : "=";
            Edit edit = pieces.words(i, last - 1, sign);
            found.accept(
                    new Mistake(
                            is.start(),
                            value.end(),
                            "IS tests for NULL only; a value is compared by " + sign,
                            List.of(edit)));
        }
    }
}
