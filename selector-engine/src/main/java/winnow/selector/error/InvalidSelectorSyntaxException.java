package winnow.selector.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A selector or correlation-ID filter is not valid. Says where, what is wrong there and, if that
/// can be known, which selector was meant. The message is one line:
///
/// ```
/// selector line 1 column 7: "not equal" is written <>, not !=; try: price <> 5
/// ```
public final class InvalidSelectorSyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /// Longest part of a suggestion in a message.
    private static final int SHOWN_CHARACTERS = 200;

    private final String subject;
    private final int line;
    private final int column;
    private final String problem;
    private final String excerpt;
    private final @Nullable String suggestion;

    /// @param subject what is wrong: "selector" or "correlation ID filter"
    /// @param line counted from 1
    /// @param column counted from 1, in Unicode code points
    /// @param problem one sentence, without a period
    public InvalidSelectorSyntaxException(String subject, int line, int column, String problem) {
        this(subject, line, column, problem, "", null);
    }

    private InvalidSelectorSyntaxException(
            String subject,
            int line,
            int column,
            String problem,
            String excerpt,
            @Nullable String suggestion) {
        super(
                head(subject, line, column, problem)
                        + (suggestion == null ? "" : "; try: " + shown(suggestion)));
        this.subject = subject;
        this.line = line;
        this.column = column;
        this.problem = Excerpt.visible(problem);
        this.excerpt = excerpt;
        this.suggestion = suggestion;
    }

    /// The same error in the words of who knows the whole text.
    ///
    /// @param newExcerpt two lines, the source and a mark below it
    public InvalidSelectorSyntaxException explained(
            int newLine,
            int newColumn,
            String newProblem,
            String newExcerpt,
            @Nullable String newSuggestion) {
        return new InvalidSelectorSyntaxException(
                subject, newLine, newColumn, newProblem, newExcerpt, newSuggestion);
    }

    private static String head(String subject, int line, int column, String problem) {
        return "%s line %d column %d: %s"
                .formatted(subject, line, column, Excerpt.visible(problem));
    }

    private static String shown(String suggestion) {
        return Excerpt.around(suggestion, 0, SHOWN_CHARACTERS);
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    /// The mistake, in one sentence without a period.
    public String problem() {
        return problem;
    }

    /// A valid selector that is probably what was meant, on one line. Empty if that cannot be
    /// known.
    public Optional<String> suggestion() {
        return Optional.ofNullable(suggestion);
    }

    /// The error for people, on several lines: with a mark below its place, and the suggestion on a
    /// line of its own.
    public String report() {
        StringBuilder report = new StringBuilder(head(subject, line, column, problem));
        excerpt.lines().forEach(source -> report.append("\n  ").append(source));
        if (suggestion != null) {
            report.append("\ntry:\n  ").append(suggestion);
        }
        return report.toString();
    }
}
