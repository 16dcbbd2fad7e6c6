package winnow.selector.expression;

/// An expression that has a value: a number, a string, a boolean, or NULL.
public sealed interface Operand extends Expression
        permits Identifier, Literal, Arithmetic, Signed {}
