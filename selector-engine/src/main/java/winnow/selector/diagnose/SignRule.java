package winnow.selector.diagnose;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import winnow.selector.diagnose.Piece.Kind;

/// Signs of other languages: `==`, `!=`, `&&`, `;`, comments, parameters.
final class SignRule implements MistakeRule {

    private static final Map<String, String> COMPARISONS =
            Map.ofEntries(
                    Map.entry("==", "="),
                    Map.entry("===", "="),
                    Map.entry(":=", "="),
                    Map.entry("!=", "<>"),
                    Map.entry("!==", "<>"),
                    Map.entry("^=", "<>"),
                    Map.entry("~=", "<>"),
                    Map.entry("≠", "<>"),
                    Map.entry("=<", "<="),
                    Map.entry("≤", "<="),
                    Map.entry("=>", ">="),
                    Map.entry("≥", ">="));

    /// Two signs with a space between them.
    private static final Map<String, String> SPLIT =
            Map.of("< =", "<=", "> =", ">=", "= <", "<=", "= >", ">=", "< >", "<>", "= =", "=");

    private static final Map<String, String> MEANINGS =
            Map.of(
                    "=", "equality",
                    "<>", "\"not equal\"",
                    "<=", "\"less than or equal\"",
                    ">=", "\"greater than or equal\"");

    private static final Map<String, String> WORDS =
            Map.of("&&", "AND", "&", "AND", "||", "OR", "|", "OR", "!", "NOT", "¬", "NOT");

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.FOREIGN)) {
                foreign(pieces, i).ifPresent(found);
            } else if (piece.is(Kind.COMPARISON) && pieces.get(i + 1).is(Kind.COMPARISON)) {
                Piece next = pieces.get(i + 1);
                String meant = SPLIT.get(piece.text() + " " + next.text());
                if (meant != null) {
                    found.accept(comparison(pieces, i, i + 1, meant));
                }
            }
        }
    }

    private static Optional<Mistake> foreign(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        String sign = piece.text();
        String meant = COMPARISONS.get(sign);
        if (meant != null) {
            return Optional.of(comparison(pieces, i, i, meant));
        }
        if (sign.equals("!") && pieces.get(i + 1).text().startsWith("=")) {
            return Optional.of(comparison(pieces, i, i + 1, "<>"));
        }
        String word = WORDS.get(sign);
        if (word != null) {
            return Optional.of(word(pieces, i, word));
        }
        if (sign.equals("=~")) {
            return Optional.empty();
        }
        if (sign.startsWith("--") || sign.startsWith("/*")) {
            return Optional.of(comment(piece));
        }
        return other(pieces, i);
    }

    private static Mistake comparison(Pieces pieces, int first, int last, String meant) {
        int start = pieces.get(first).start();
        int end = pieces.get(last).end();
        String problem =
                "%s is written %s, not %s"
                        .formatted(MEANINGS.get(meant), meant, pieces.text(first, last));
        return Mistake.of(start, end, problem, meant);
    }

    private static Mistake word(Pieces pieces, int i, String word) {
        Piece piece = pieces.get(i);
        String problem =
                "\"%s\" is written %s, not %s"
                        .formatted(word.toLowerCase(Locale.ROOT), word, piece.text());
        if (piece.text().equals("||") && pieces.get(i + 1).is(Kind.STRING)) {
            return Mistake.uncorrected(
                    piece,
                    "|| is not an operator: OR joins conditions, and strings cannot be joined");
        }
        Edit edit = pieces.words(i, i, word);
        return Mistake.of(edit.start(), edit.end(), problem, edit.replacement());
    }

    private static Mistake comment(Piece piece) {
        return piece.text().equals("--")
                ? Mistake.of(piece, "two minus signs need a space between them", "- -")
                : Mistake.of(piece, "there are no comments in a selector", "");
    }

    private static Optional<Mistake> other(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        int c = piece.text().codePointAt(0);
        if (Character.isSpaceChar(c) || c == '\u000B') {
            String problem = "U+%04X is not white space in a selector; write a space".formatted(c);
            return Optional.of(Mistake.of(piece, problem, " "));
        }
        return switch (piece.text()) {
            case "−", "–", "—" ->
                    Optional.of(Mistake.of(piece, "the minus sign is -, not " + piece.text(), "-"));
            case "×" -> Optional.of(Mistake.of(piece, "multiplication is written *, not ×", "*"));
            case "÷" -> Optional.of(Mistake.of(piece, "division is written /, not ÷", "/"));
            case ";" -> Optional.of(Mistake.of(piece, "a selector has no semicolon", ""));
            case "?", ":", "@", "#" ->
                    Optional.of(
                            Mistake.uncorrected(
                                    piece,
                                    "a selector has no parameters; put the value itself into it"));
            case "%" ->
                    isInPattern(pieces, i) ? Optional.empty() : Optional.of(remainder(pieces, i));
            default -> Optional.empty();
        };
    }

    /// `LIKE abc%` and `LIKE %abc%`, where quotes are missing.
    private static boolean isInPattern(Pieces pieces, int percent) {
        int first = percent;
        while (first > 0 && pieces.touchesNext(first - 1)) {
            first--;
        }
        return pieces.get(first - 1).isKeyword("LIKE");
    }

    /// `n % 2` is `n - n / 2 * 2` for whole numbers.
    private static Mistake remainder(Pieces pieces, int i) {
        String problem = "there is no remainder operator";
        Piece left = pieces.get(i - 1);
        Piece right = pieces.get(i + 1);
        boolean plain = left.is(Kind.NAME) && right.is(Kind.NUMBER);
        if (!plain
                || pieces.get(i - 2).is(Kind.ARITHMETIC)
                || pieces.get(i + 2).is(Kind.ARITHMETIC)) {
            return Mistake.uncorrected(pieces.get(i), problem);
        }
        Edit edit =
                new Edit(
                        left.start(),
                        right.end(),
                        "%1$s - %1$s / %2$s * %2$s".formatted(left.text(), right.text()));
        Piece piece = pieces.get(i);
        return new Mistake(
                piece.start(),
                piece.end(),
                problem + "; for whole numbers, subtract the multiple",
                List.of(edit));
    }
}
