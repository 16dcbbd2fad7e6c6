package winnow.selector.index.api;

/// The ways by which a message leads to a selector.
public enum KeyKind {
    /// By the value itself, in constant time.
    EQUALITY,
    /// By the intervals that hold a number, in logarithmic time.
    RANGE,
    /// By the beginning of a string, in time linear in its length.
    PREFIX,
    /// By a text anywhere in a string, in time linear in its length.
    SUBSTRING,
    /// By the lack of the name.
    MISSING,
    /// Not at all: tested once for every message that has the name.
    SCAN
}
