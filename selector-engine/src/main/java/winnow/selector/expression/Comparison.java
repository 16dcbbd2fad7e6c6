package winnow.selector.expression;

/// `left operator right`. UNKNOWN if a side is NULL, FALSE if the sides are not of like types, also
/// for `<>`.
public record Comparison(Operand left, ComparisonOperator operator, Operand right)
        implements Atom {}
