package winnow.selector.expression;

/// Negation; UNKNOWN stays UNKNOWN. `x NOT IN (..)`, `x NOT LIKE ..` and `x IS NOT NULL` are the
/// negation of their positive form and are represented so.
public record Not(Condition operand) implements Condition {}
