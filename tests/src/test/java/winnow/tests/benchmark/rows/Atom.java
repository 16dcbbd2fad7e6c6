package winnow.tests.benchmark.rows;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One component of a generated selector: a test of one attribute. Strings are numbers here, which
/// become texts in selectors and messages. Immutable.
public final class Atom {
    /// Of texts of three digits, two of which are in the prefix.
    private static final int VALUES_PER_PREFIX = 10;

    private static final int PREFIX_LENGTH = 3;

    private final int attribute;
    private final Kind kind;
    private final int[] operands;
    private final boolean text;

    /// @param attribute that it looks at
    /// @param kind of the test; a prefix is of a value below 1,000
    /// @param operands the values; for a range the lowest and the highest
    /// @param text whether the attribute has strings
    Atom(int attribute, Kind kind, int[] operands, boolean text) {
        this.attribute = attribute;
        this.kind = kind;
        this.operands = operands;
        this.text = text;
    }

    public int attribute() {
        return attribute;
    }

    public Kind kind() {
        return kind;
    }

    /// Borrowed: never change it.
    public int[] operands() {
        return operands;
    }

    /// What the attribute's value must be.
    public enum Kind {
        /// One of the operands.
        ONE_OF,
        /// There, and none of the operands.
        NONE_OF,
        /// Between the operands, both included.
        RANGE,
        /// There, and not between the operands.
        OUTSIDE,
        /// A string that begins with the operand's text.
        PREFIX,
        /// Not there.
        MISSING
    }

    /// @param value of the attribute as [Message#value] tells it
    boolean test(int value) {
        if (value < 0) {
            return value == Message.MISSING ? kind == Kind.MISSING : isTrueOfOtherTypes();
        }
        return switch (kind) {
            case ONE_OF -> isOperand(value);
            case NONE_OF -> !isOperand(value);
            case RANGE -> operands[0] <= value && value <= operands[1];
            case OUTSIDE -> value < operands[0] || operands[1] < value;
            case PREFIX -> value / VALUES_PER_PREFIX == operands[0] / VALUES_PER_PREFIX;
            case MISSING -> false;
        };
    }

    /// A comparison with a value of another type is false, also `<>`; NOT makes it true.
    public boolean isTrueOfOtherTypes() {
        return kind == Kind.OUTSIDE || (kind == Kind.NONE_OF && operands.length > 1);
    }

    private boolean isOperand(int value) {
        for (int operand : operands) {
            if (operand == value) {
                return true;
            }
        }
        return false;
    }

    /// All values that begin with the prefix.
    public IntStream valuesOfPrefix() {
        int first = operands[0] / VALUES_PER_PREFIX * VALUES_PER_PREFIX;
        return IntStream.range(first, first + VALUES_PER_PREFIX);
    }

    /// The text of a prefix.
    public String prefix() {
        return textOf(operands[0]).substring(0, PREFIX_LENGTH);
    }

    /// A string value as it stands in messages.
    public static String textOf(int value) {
        return "v%03d-text".formatted(value);
    }

    public static String nameOf(int attribute) {
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
            case OUTSIDE ->
                    "NOT (" + name + " BETWEEN " + operands[0] + " AND " + operands[1] + ")";
            case PREFIX -> name + " LIKE '" + prefix() + "%'";
            case MISSING -> name + " IS NULL";
        };
    }

    private String literals() {
        return Arrays.stream(operands).mapToObj(this::literal).collect(Collectors.joining(", "));
    }

    /// An operand in the selector language.
    public String literal(int operand) {
        return text ? "'" + textOf(operand) + "'" : Integer.toString(operand);
    }
}
