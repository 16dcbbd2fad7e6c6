package winnow.selector.expression;

/// An expression whose value for a message is a [Truth].
public sealed interface Condition extends Expression permits And, Or, Not, Atom {}
