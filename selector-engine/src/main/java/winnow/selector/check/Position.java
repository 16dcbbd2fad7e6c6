package winnow.selector.check;

import winnow.selector.InvalidSelectorSyntaxException;

/// A place in a selector's text; line and column (in code points) count from 1.
public record Position(int line, int column) {

    public InvalidSelectorSyntaxException error(String expected, String found) {
        return new InvalidSelectorSyntaxException("selector", line, column, expected, found);
    }
}
