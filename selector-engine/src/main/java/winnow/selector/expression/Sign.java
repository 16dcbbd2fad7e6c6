package winnow.selector.expression;

/// The unary operators.
public enum Sign {
    PLUS("+"),
    MINUS("-");

    private final String symbol;

    Sign(String symbol) {
        this.symbol = symbol;
    }

    public String symbol() {
        return symbol;
    }
}
