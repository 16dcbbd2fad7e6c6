package winnow.selector.expression;

/// Unary plus or minus; NULL if the operand is not a number. Never stands before a literal, which
/// carries its sign itself; [#of] sees to that.
public record Signed(Sign sign, Operand operand) implements Operand {

    public Signed {
        if (operand instanceof Literal) {
            throw new IllegalArgumentException("a literal carries its own sign");
        }
    }

    /// `+5 -> 5`, `-(5) -> -5`. The smallest long stays as it is, as in Java.
    public static Operand of(Sign sign, Operand operand) {
        boolean minus = sign == Sign.MINUS;
        return switch (operand) {
            case LongLiteral(long value) -> minus ? new LongLiteral(-value) : operand;
            case FloatLiteral(float value) -> minus ? new FloatLiteral(-value) : operand;
            case DoubleLiteral(double value) -> minus ? new DoubleLiteral(-value) : operand;
            default -> new Signed(sign, operand);
        };
    }
}
