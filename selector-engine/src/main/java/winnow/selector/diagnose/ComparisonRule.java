package winnow.selector.diagnose;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import winnow.selector.diagnose.Piece.Kind;

/// Comparisons that selectors do not have: chains such as `10 < p < 20`, and strings in order.
final class ComparisonRule implements MistakeRule {

    private static final String NO_ORDER =
            "strings have no order in selectors; they are compared by =, <>, IN and LIKE";

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Kind.COMPARISON)) {
                chain(pieces, i, found);
                truth(pieces, i, found);
                if (piece.isOrdering()) {
                    ordered(pieces.get(i - 1), pieces.get(i + 1), found);
                }
            } else if (piece.isKeyword("BETWEEN")) {
                between(pieces, i, found);
            }
        }
    }

    /// `10 < p < 20` becomes `10 < p AND p < 20`. Comparing with TRUE does nothing; with FALSE, it
    /// is NOT.
    private static void chain(Pieces pieces, int first, Consumer<Mistake> found) {
        int start = pieces.operandStart(first);
        int middle = pieces.operandEnd(first + 1);
        if (middle == first + 1 || !pieces.get(middle).is(Kind.COMPARISON)) {
            return;
        }
        int end = pieces.operandEnd(middle + 1);
        if (start == first || end == middle + 1 || !pieces.isOperand(first + 1, middle)) {
            return;
        }
        String problem = "comparisons are not chained; join two of them by AND";
        int from = pieces.get(start).start();
        int to = pieces.get(end - 1).end();
        boolean truth =
                end == middle + 2
                        && pieces.get(middle + 1).isTrueOrFalse()
                        && pieces.get(middle).text().equals("=");
        if (truth) {
            boolean yes = pieces.get(middle + 1).isKeyword("TRUE");
            String comparison = pieces.text(start, middle - 1);
            found.accept(
                    Mistake.of(
                            from,
                            to,
                            "a comparison is a condition already; it is not compared with "
                                    + (yes ? "TRUE" : "FALSE"),
                            yes ? comparison : "NOT (" + comparison + ")"));
            return;
        }
        int at = pieces.get(middle).start();
        String operand = pieces.text(first + 1, middle - 1);
        found.accept(
                new Mistake(from, to, problem, List.of(new Edit(at, at, "AND " + operand + " "))));
    }

    /// `(a = 1) = TRUE`.
    private static void truth(Pieces pieces, int equal, Consumer<Mistake> found) {
        int end = equal + 1;
        int open = pieces.get(equal - 1).is(Kind.CLOSE) ? pieces.opening(equal - 1) : -1;
        if (open < 0 || !pieces.get(end).isTrueOrFalse() || pieces.get(equal).isOrdering()) {
            return;
        }
        boolean condition = false;
        for (int i = open; i < equal; i++) {
            condition |= pieces.get(i).is(Kind.COMPARISON) || pieces.get(i).isAndOrOr();
        }
        if (condition) {
            String word = pieces.get(end).text();
            boolean yes = pieces.get(end).isKeyword("TRUE") == pieces.get(equal).text().equals("=");
            String group = pieces.text(open, equal - 1);
            found.accept(
                    Mistake.of(
                            pieces.get(open).start(),
                            pieces.get(end).end(),
                            "what is in the parentheses is a condition already; it is not compared"
                                    + " with "
                                    + word,
                            yes ? group : "NOT " + group));
        }
    }

    private static void ordered(Piece left, Piece right, Consumer<Mistake> found) {
        for (Piece side : List.of(left, right)) {
            if (side.is(Kind.STRING)) {
                found.accept(inOrder(side));
            } else if (side.isTrueOrFalse()) {
                found.accept(
                        Mistake.uncorrected(
                                side, side.text() + " has no order; it is compared by = and <>"));
            }
        }
    }

    private static Mistake inOrder(Piece string) {
        String content = string.content();
        if (isNumber(content)) {
            return Mistake.of(
                    string, "only numbers have an order, and numbers are not in quotes", content);
        }
        return millis(content)
                .map(millis ->
                        Mistake.of(
                                string,
                                "strings have no order in selectors; dates are compared as"
                                        + " milliseconds since 1970",
                                Long.toString(millis)))
                .orElseGet(() -> Mistake.uncorrected(string, NO_ORDER));
    }

    private static boolean isNumber(String content) {
        return content.matches("-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?");
    }

    /// Of a date, or of a date and time in UTC if no zone is given.
    private static Optional<Long> millis(String content) {
        if (!content.matches(
                "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]{5,18}([Zz]|[+-][0-9:]{2,6})?)?")) {
            return Optional.empty();
        }
        try {
            String time = content.replace(' ', 'T');
            if (time.length() == 10) {
                return Optional.of(
                        LocalDate.parse(time)
                                .atStartOfDay(ZoneOffset.UTC)
                                .toInstant()
                                .toEpochMilli());
            }
            boolean zoned = time.matches(".*([Zz]|[+-][0-9:]{2,6})") && time.length() > 16;
            return Optional.of(
                    zoned
                            ? Instant.parse(time).toEpochMilli()
                            : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC).toEpochMilli());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /// `BETWEEN 1, 2`, `BETWEEN 1 TO 2`, `BETWEEN 1 OR 2`, `BETWEEN (1, 2)`, and strings.
    private static void between(Pieces pieces, int between, Consumer<Mistake> found) {
        int low = between + 1;
        boolean list = pieces.get(low).is(Kind.OPEN) && isPair(pieces, low + 1);
        if (list) {
            low++;
        }
        if (pieces.get(low).isLiteral() && (list || isSeparator(pieces.get(low + 1)))) {
            Piece last = pieces.get(low + 2);
            if (last.isLiteral()) {
                int end = list ? low + 3 : low + 2;
                found.accept(
                        Mistake.of(
                                pieces.get(between + 1).start(),
                                pieces.get(end).end(),
                                "the two ends of BETWEEN are joined by AND",
                                pieces.get(low).text() + " AND " + last.text()));
                return;
            }
        }
        List<Piece> ends = new ArrayList<>(List.of(pieces.get(between + 1)));
        if (pieces.get(between + 2).isKeyword("AND")) {
            ends.add(pieces.get(between + 3));
        }
        for (Piece end : ends) {
            if (end.is(Kind.STRING)) {
                found.accept(inOrder(end));
            }
        }
    }

    private static boolean isPair(Pieces pieces, int low) {
        return pieces.get(low).isLiteral()
                && (isSeparator(pieces.get(low + 1)) || pieces.get(low + 1).isKeyword("AND"))
                && pieces.get(low + 3).is(Kind.CLOSE);
    }

    private static boolean isSeparator(Piece piece) {
        return piece.is(Kind.COMMA) || piece.isKeyword("OR") || piece.isName("TO");
    }
}
