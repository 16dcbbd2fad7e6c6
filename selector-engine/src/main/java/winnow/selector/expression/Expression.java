package winnow.selector.expression;

/// A node of a selector: either something that is true or not, or something that has a value. An
/// identifier and a boolean literal are both.
public sealed interface Expression permits Condition, Operand {}
