package winnow.selector.diagnose;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.selector.error.Excerpt;
import winnow.selector.error.InvalidSelectorSyntaxException;

/// Turns what the parser says of a text into what is wrong with it: names the mistake, marks its
/// place, and finds the selector that was meant, if that can be known.
public final class Diagnosis {

    /// Tells what the parser thinks of a corrected text.
    @FunctionalInterface
    public interface Check {
        boolean isSelector(String text);
    }

    /// Longer texts are written by programs; only the place of their mistake is shown. This bounds
    /// what an invalid text costs to about that of a few parses of such a text.
    private static final int MAX_CORRECTED = 4_096;

    /// Corrections show further mistakes. Few texts need more than two rounds.
    private static final int ROUNDS = 5;

    private static final List<MistakeRule> RULES =
            List.of(
                    new QuoteRule(),
                    new SignRule(),
                    new NameRule(),
                    new NumberRule(),
                    new NullRule(),
                    new PatternRule(),
                    new ListRule(),
                    new ComparisonRule(),
                    new StructureRule());

    private final String text;
    private final InvalidSelectorSyntaxException error;

    private Diagnosis(String text, InvalidSelectorSyntaxException error) {
        this.text = text;
        this.error = error;
    }

    /// The error with the mistake, its place and a correction.
    ///
    /// @param error what the parser says of the text
    public static InvalidSelectorSyntaxException of(
            String text, InvalidSelectorSyntaxException error, Check check) {
        if (text.length() > MAX_CORRECTED) {
            return placed(text, error);
        }
        return new Diagnosis(text, error).diagnose(check);
    }

    /// The error with its place alone.
    public static InvalidSelectorSyntaxException placed(
            String text, InvalidSelectorSyntaxException error) {
        int offset = offset(text, error.line(), error.column());
        return error.explained(
                error.line(),
                error.column(),
                error.problem(),
                Excerpt.marked(text, offset, 1),
                null);
    }

    private InvalidSelectorSyntaxException diagnose(Check check) {
        int offset = offset(text, error.line(), error.column());
        Mistake reported = nearest(mistakes(text), offset).orElse(null);
        String corrected = corrected(check).orElse(null);
        if (reported == null) {
            return error.explained(
                    error.line(),
                    error.column(),
                    error.problem(),
                    Excerpt.marked(text, offset, 1),
                    corrected);
        }
        int lineStart = text.lastIndexOf('\n', reported.start() - 1) + 1;
        int line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
        int column = 1 + text.codePointCount(lineStart, reported.start());
        int length = text.codePointCount(reported.start(), reported.end());
        return error.explained(
                line,
                column,
                reported.problem(),
                Excerpt.marked(text, reported.start(), length),
                corrected);
    }

    /// The mistake that made the parser stop at an offset: the narrowest around it or, if there is
    /// none, the last before it.
    private static Optional<Mistake> nearest(List<Mistake> mistakes, int offset) {
        Optional<Mistake> around =
                mistakes.stream()
                        .filter(m -> m.start() <= offset && offset <= m.end())
                        .min(Comparator.comparingInt(m -> m.end() - m.start()));
        return around.or(() ->
                mistakes.stream()
                        .filter(m -> m.end() < offset)
                        .max(Comparator.comparingInt(Mistake::end)));
    }

    private static List<Mistake> mistakes(String text) {
        List<Mistake> mistakes = new ArrayList<>();
        Pieces pieces = Pieces.of(text);
        for (MistakeRule rule : RULES) {
            rule.find(pieces, mistakes::add);
        }
        return mistakes;
    }

    /// True if any rule finds anything; nothing is found in a selector.
    static boolean findsMistakes(String text) {
        return !mistakes(text).isEmpty();
    }

    private Optional<String> corrected(Check check) {
        String current = text;
        for (int round = 0; round < ROUNDS; round++) {
            String next = apply(current, mistakes(current));
            if (next == null || next.length() > 2 * MAX_CORRECTED) {
                return Optional.empty();
            }
            current = next;
            if (check.isSelector(current)) {
                return Optional.of(oneLine(current))
                        .filter(line -> line.codePoints().noneMatch(Excerpt::isControl))
                        .filter(check::isSelector);
            }
        }
        return Optional.empty();
    }

    /// Null if there is nothing to correct, or something that cannot be.
    private static @Nullable String apply(String text, List<Mistake> mistakes) {
        if (mistakes.isEmpty() || mistakes.stream().anyMatch(m -> m.edits().isEmpty())) {
            return null;
        }
        List<Edit> edits = new ArrayList<>();
        int[] ends = {0};
        mistakes.stream()
                .flatMap(mistake -> mistake.edits().stream())
                .sorted(Comparator.comparingInt(Edit::start).thenComparingInt(Edit::end))
                .forEach(edit -> {
                    // What overlaps is found again in the next round.
                    if (edit.start() >= ends[0]) {
                        edits.add(edit);
                        ends[0] = edit.end();
                    }
                });
        StringBuilder result = new StringBuilder(text);
        for (Edit edit : edits.reversed()) {
            result.replace(edit.start(), edit.end(), edit.replacement());
        }
        return result.toString();
    }

    /// White space between pieces that is more than a space becomes one.
    private static String oneLine(String selector) {
        Pieces pieces = Pieces.of(selector);
        StringBuilder line = new StringBuilder(selector.length());
        for (int i = 0; i < pieces.size(); i++) {
            line.append(i > 0 && !pieces.touchesNext(i - 1) ? " " : "");
            line.append(pieces.get(i).text());
        }
        return line.toString();
    }

    /// The offset of a place, or the end of its line.
    private static int offset(String text, int line, int column) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            start = text.indexOf('\n', start) + 1;
        }
        int end = text.indexOf('\n', start);
        int lineEnd = end < 0 ? text.length() : end;
        int points = Math.min(column - 1, text.codePointCount(start, lineEnd));
        return text.offsetByCodePoints(start, points);
    }
}
