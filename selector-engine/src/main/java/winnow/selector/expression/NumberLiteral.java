package winnow.selector.expression;

/// An exact or approximate numeric constant; its type takes part in Java's numeric promotion.
public sealed interface NumberLiteral extends Literal
        permits LongLiteral, FloatLiteral, DoubleLiteral {}
