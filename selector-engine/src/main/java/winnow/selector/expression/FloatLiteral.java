package winnow.selector.expression;

/// An approximate numeric literal with suffix `f`, such as `0.1f`. Always finite.
public record FloatLiteral(float value) implements NumberLiteral {

    public FloatLiteral {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException("not a finite number: " + value);
        }
    }
}
