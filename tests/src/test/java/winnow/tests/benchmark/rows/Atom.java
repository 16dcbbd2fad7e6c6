package winnow.tests.benchmark.rows;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One component of a generated selector: a test of one attribute. Strings are numbers here, which
/// become texts in selectors and messages. Immutable.
final class Atom {
    private final int attribute;
    private final Kind kind;
    private final int[] operands;
    private final boolean text;

    /// @param attribute that it looks at
    /// @param kind of the test
    /// @param operands the values; for a range the lowest and the highest
    /// @param text whether the attribute has strings
    Atom(int attribute, Kind kind, int[] operands, boolean text) {
        this.attribute = attribute;
        this.kind = kind;
        this.operands = operands;
        this.text = text;
    }

    int attribute() {
        return attribute;
    }

    Kind kind() {
        return kind;
    }

    /// Borrowed: never change it.
    int[] operands() {
        return operands;
    }

    /// What the attribute's value must be.
    enum Kind {
        /// One of the operands.
        ONE_OF,
        /// There, and none of the operands.
        NONE_OF,
        /// Between the operands, both included.
        RANGE,
        /// A string that begins with the operand's text.
        PREFIX,
        /// Not there.
        MISSING
    }

    /// @param value of the attribute, null if it is missing
    boolean test(@Nullable Integer value) {
        if (value == null || kind == Kind.MISSING) {
            return value == null && kind == Kind.MISSING;
        }
        int found = value;
        return switch (kind) {
            case ONE_OF -> isOperand(found);
            case NONE_OF -> !isOperand(found);
            case RANGE -> operands[0] <= found && found <= operands[1];
            case PREFIX -> textOf(found).startsWith(prefix());
            case MISSING -> throw new IllegalStateException("handled above");
        };
    }

    private boolean isOperand(int value) {
        for (int operand : operands) {
            if (operand == value) {
                return true;
            }
        }
        return false;
    }

    private String prefix() {
        return textOf(operands[0]).substring(0, 3);
    }

    /// A string value as it stands in messages.
    static String textOf(int value) {
        return "v%03d-text".formatted(value);
    }

    static String nameOf(int attribute) {
        return "a" + attribute;
    }

    /// In the selector language.
    String selector() {
        String name = nameOf(attribute);
        return switch (kind) {
            case ONE_OF ->
                    operands.length == 1
                            ? name + " = " + literal(operands[0])
                            : name + " IN (" + literals() + ")";
            case NONE_OF ->
                    operands.length == 1
                            ? name + " <> " + literal(operands[0])
                            : name + " NOT IN (" + literals() + ")";
            case RANGE -> name + " BETWEEN " + operands[0] + " AND " + operands[1];
            case PREFIX -> name + " LIKE '" + prefix() + "%'";
            case MISSING -> name + " IS NULL";
        };
    }

    private String literals() {
        return Arrays.stream(operands).mapToObj(this::literal).collect(Collectors.joining(", "));
    }

    private String literal(int operand) {
        return text ? "'" + textOf(operand) + "'" : Integer.toString(operand);
    }
}
