package winnow.selector.expression;

/// `TRUE` or `FALSE`: a value to compare with, and a condition of its own.
public record BooleanLiteral(boolean value) implements Literal, Atom {}
