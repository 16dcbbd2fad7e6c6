package winnow.selector.expression;

/// An approximate numeric literal without suffix `f`, such as `7E3`. Always finite.
public record DoubleLiteral(double value) implements NumberLiteral {

    public DoubleLiteral {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a finite number: " + value);
        }
    }
}
