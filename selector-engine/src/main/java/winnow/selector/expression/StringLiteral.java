package winnow.selector.expression;

/// A string literal, with its quotes removed and `''` already turned into one quote.
public record StringLiteral(String value) implements Literal {}
