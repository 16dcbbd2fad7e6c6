package winnow.selector.expression;

/// `value BETWEEN low AND high` is `value >= low AND value <= high`; negated it is `value < low OR
/// value > high`, which unlike NOT (value BETWEEN ..) is FALSE for a string.
public record Between(Operand value, Operand low, Operand high, boolean negated) implements Atom {}
