package winnow.selector.expression;

/// A constant in the text of a selector.
public sealed interface Literal extends Operand
        permits NumberLiteral, StringLiteral, BooleanLiteral {}
