package winnow.selector;

/// A selector or correlation-ID filter is not valid. Says where, what was expected there and what
/// was found, for example `selector line 1 column 14: expected a value after '=', found 'AND'`.
public final class InvalidSelectorSyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final String expected;
    private final String found;

    /// @param subject what is wrong: "selector" or "correlation ID filter"
    /// @param line counted from 1
    /// @param column counted from 1, in Unicode code points
    public InvalidSelectorSyntaxException(
            String subject, int line, int column, String expected, String found) {
        super(
                "%s line %d column %d: expected %s, found %s"
                        .formatted(subject, line, column, expected, found));
        this.line = line;
        this.column = column;
        this.expected = expected;
        this.found = found;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    public String expected() {
        return expected;
    }

    public String found() {
        return found;
    }
}
