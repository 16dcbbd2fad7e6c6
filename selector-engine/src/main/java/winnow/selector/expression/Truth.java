package winnow.selector.expression;

/// The three values of selector logic, in the order FALSE < UNKNOWN < TRUE. In that order AND is
/// the minimum and OR the maximum (Jakarta Messaging 3.1, 3.8.1.2, tables of AND, OR and NOT):
///
/// ```
/// AND | T F U     OR | T F U     NOT |
///  T  | T F U      T | T T T      T  | F
///  F  | F F F      F | T F U      F  | T
///  U  | U F U      U | T U U      U  | U
/// ```
public enum Truth {
    FALSE,
    UNKNOWN,
    TRUE;

    public static Truth of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public Truth and(Truth other) {
        return compareTo(other) <= 0 ? this : other;
    }

    public Truth or(Truth other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public Truth not() {
        return switch (this) {
            case TRUE -> FALSE;
            case FALSE -> TRUE;
            case UNKNOWN -> UNKNOWN;
        };
    }
}
