package winnow.selector.expression;

/// An exact numeric literal such as `57` or `0x1F`. All of them are of type long.
public record LongLiteral(long value) implements NumberLiteral {}
