package winnow.selector.check;

import winnow.selector.error.InvalidSelectorSyntaxException;

/// A place in a selector's or filter's text; line and column (in code points) count from 1.
///
/// @param subject what the text is, for errors: "selector" or "correlation ID filter"
public record Position(String subject, int line, int column) {

    public InvalidSelectorSyntaxException error(String expected, String found) {
        return new InvalidSelectorSyntaxException(
                subject, line, column, "expected %s, found %s".formatted(expected, found));
    }
}
