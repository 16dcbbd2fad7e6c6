package winnow.selector.diagnose;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import winnow.selector.check.NameRules;
import winnow.selector.diagnose.Piece.Kind;

/// Names that cannot be names: with dots, of header fields that selectors may not use, keywords;
/// and words in place of operators, as other languages have them.
final class NameRule implements MistakeRule {

    /// Words that stand for the message itself before a dot.
    private static final Set<String> MESSAGE =
            Set.of("message", "msg", "m", "properties", "props", "property", "headers", "header");

    private static final Map<String, String> WORDS =
            Map.of(
                    "eq", "=", "equals", "=", "ne", "<>", "lt", "<", "le", "<=", "lte", "<=", "gt",
                    ">", "ge", ">=", "gte", ">=");

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.NAME)) {
                if (pieces.get(i + 1).text().startsWith(".") && pieces.touchesNext(i)) {
                    i = dotted(pieces, i, found);
                } else {
                    header(pieces, i).or(() -> word(pieces, piece)).ifPresent(found);
                    comparisonWord(pieces, i).ifPresent(found);
                }
            } else if (piece.is(Kind.KEYWORD)) {
                keyword(pieces, i).ifPresent(found);
            }
        }
    }

    /// The index of the last piece of the name.
    private static int dotted(Pieces pieces, int first, Consumer<Mistake> found) {
        int last = first;
        while (pieces.touchesNext(last)
                && (pieces.get(last + 1).text().startsWith(".")
                        || pieces.get(last).text().equals("."))
                && last + 1 < pieces.size()) {
            last++;
        }
        int start = pieces.get(first).start();
        int end = pieces.get(last).end();
        String name = pieces.text(first, last);
        String problem =
                "%s is not a name, because names have no dots; the property needs another name"
                        .formatted(name);
        String plain = name.replace('.', '_');
        int dot = name.indexOf('.');
        if (MESSAGE.contains(name.substring(0, dot).toLowerCase(Locale.ROOT))) {
            problem = "a property is written by its name alone, without " + name.substring(0, dot);
            plain = name.substring(dot + 1).replace('.', '_');
        }
        if (pieces.get(last + 1).is(Kind.OPEN) || !Scanner.isName(plain)) {
            found.accept(new Mistake(start, end, problem, List.of()));
        } else {
            found.accept(Mistake.of(start, end, problem, plain));
        }
        return last;
    }

    private static Optional<Mistake> header(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        String name = piece.text();
        if (NameRules.isAllowed(name)) {
            return Optional.empty();
        }
        if (NameRules.isOtherHeader(name)) {
            return Optional.of(
                    Mistake.uncorrected(
                            piece,
                            "the header field %s cannot be used in a selector; only %s can"
                                    .formatted(name, NameRules.headerList())));
        }
        Optional<String> nearest = Spelling.nearest(name, NameRules.headers());
        String problem = "there is no header field " + name;
        return Optional.of(
                nearest.map(meant -> Mistake.of(piece, problem, meant))
                        .orElseGet(() ->
                                Mistake.uncorrected(
                                        piece,
                                        problem
                                                + ", and names that begin with JMS are"
                                                + " reserved; selectors may use "
                                                + NameRules.headerList())));
    }

    /// WHERE at the beginning.
    private static Optional<Mistake> word(Pieces pieces, Piece piece) {
        boolean where =
                piece.start() == pieces.get(0).start()
                        && piece.isName("WHERE")
                        && pieces.get(1).isValue();
        return where
                ? Optional.of(
                        Mistake.of(
                                piece.start(),
                                pieces.get(1).start(),
                                "a selector is the condition alone, without WHERE",
                                ""))
                : Optional.empty();
    }

    /// `price gt 5`.
    private static Optional<Mistake> comparisonWord(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        String sign = WORDS.get(piece.text().toLowerCase(Locale.ROOT));
        boolean between = pieces.get(i - 1).isValue() && pieces.get(i + 1).isValue();
        return sign == null || !between
                ? Optional.empty()
                : Optional.of(
                        Mistake.of(
                                piece,
                                "comparison is written %s, not %s".formatted(sign, piece.text()),
                                sign));
    }

    /// A keyword where only a name can be: before a comparison, or before IS, IN and LIKE.
    private static Optional<Mistake> keyword(Pieces pieces, int i) {
        Piece piece = pieces.get(i);
        Piece next = pieces.get(i + 1);
        Piece previous = pieces.get(i - 1);
        boolean begins = previous.is(Kind.NONE) || previous.is(Kind.OPEN) || previous.isAndOrOr();
        boolean named =
                begins
                        && List.of("BETWEEN", "ESCAPE", "IN", "IS", "LIKE", "NOT").stream()
                                .anyMatch(piece::isKeyword)
                        && (next.is(Kind.COMPARISON) || next.isKeyword("IS"));
        if (!named) {
            return Optional.empty();
        }
        return Optional.of(
                Mistake.uncorrected(
                        piece,
                        "%s is a keyword, so it cannot be a name; the property needs another name"
                                .formatted(piece.text())));
    }
}
