package winnow.selector.explain;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.slot.Slots;

/// The values that one identifier may still have, given some conditions on it: an approximation
/// from above, so that an empty domain proves a contradiction and a non-empty one proves nothing.
final class Domain {

    /// Kinds of values that selectors can tell apart.
    enum Kind {
        MISSING,
        STRING,
        NUMBER,
        TRUE,
        FALSE,
        OTHER
    }

    /// 2^24: floats below it in size hold every whole number.
    private static final double FIRST_INEXACT_FLOAT = 1 << 24;

    private final Set<Kind> kinds;
    private final boolean exactNumbers;
    private double low;
    private double high;

    /// The strings that are left, or null if all are.
    private @Nullable Set<String> strings;

    private Domain(
            Set<Kind> kinds,
            boolean exactNumbers,
            double low,
            double high,
            @Nullable Set<String> strings) {
        this.kinds = kinds;
        this.exactNumbers = exactNumbers;
        this.low = low;
        this.high = high;
        this.strings = strings;
    }

    /// All that the name can hold: anything for a property, less for a header field.
    static Domain of(String name) {
        return switch (name) {
            case "JMSPriority" -> new Domain(EnumSet.of(Kind.NUMBER), true, 0, 9, null);
            case "JMSTimestamp" -> unbounded(EnumSet.of(Kind.NUMBER), true, null);
            case "JMSDeliveryMode" ->
                    unbounded(
                            EnumSet.of(Kind.STRING), false, Set.of("PERSISTENT", "NON_PERSISTENT"));
            case "JMSCorrelationID", "JMSMessageID", "JMSType" ->
                    unbounded(EnumSet.of(Kind.STRING, Kind.MISSING), false, null);
            default ->
                    Slots.isSetOnReceive(name)
                            ? unbounded(EnumSet.of(Kind.MISSING), false, null)
                            : unbounded(EnumSet.allOf(Kind.class), false, null);
        };
    }

    private static Domain unbounded(
            Set<Kind> kinds, boolean exactNumbers, @Nullable Set<String> strings) {
        return new Domain(
                kinds, exactNumbers, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, strings);
    }

    Domain copy() {
        Set<Kind> copy = EnumSet.noneOf(Kind.class);
        copy.addAll(kinds);
        return new Domain(copy, exactNumbers, low, high, strings);
    }

    void retain(Set<Kind> wanted) {
        kinds.retainAll(wanted);
    }

    void remove(Kind kind) {
        kinds.remove(kind);
    }

    /// Numbers for which the comparison is not TRUE go; other kinds stay.
    void retainNumbers(ComparisonOperator operator, NumberLiteral literal) {
        double value =
                switch (literal) {
                    case LongLiteral(long exact) -> (double) exact;
                    case FloatLiteral(float approximate) -> approximate;
                    case DoubleLiteral(double approximate) -> approximate;
                };
        // Between types of different precision, numbers near the literal may count as equal to it.
        boolean exact = Math.abs(value) < FIRST_INEXACT_FLOAT && (float) value == value;
        double slack = exact ? 0 : Math.ulp((float) value);
        switch (operator) {
            case EQUAL -> retainBetween(value - slack, value + slack);
            case LESS -> retainBetween(low, exact ? Math.nextDown(value) : value + slack);
            case LESS_OR_EQUAL -> retainBetween(low, value + slack);
            case GREATER -> retainBetween(exact ? Math.nextUp(value) : value - slack, high);
            case GREATER_OR_EQUAL -> retainBetween(value - slack, high);
            case NOT_EQUAL -> {}
        }
    }

    /// The same for a domain that is known to hold exact numbers only, so that there is neither NaN
    /// nor another kind of value to keep; nothing for any other.
    void retainExactNumbers(ComparisonOperator operator, NumberLiteral literal) {
        if (exactNumbers) {
            retainNumbers(operator, literal);
        }
    }

    private void retainBetween(double from, double to) {
        low = Math.max(low, from);
        high = Math.min(high, to);
    }

    /// Strings outside go; other kinds stay.
    void retainStrings(Set<String> wanted) {
        Set<String> left = new HashSet<>(wanted);
        if (strings != null) {
            left.retainAll(strings);
        }
        strings = left;
    }

    void removeString(String value) {
        if (strings != null) {
            Set<String> left = new HashSet<>(strings);
            left.remove(value);
            strings = left;
        }
    }

    boolean isEmpty() {
        boolean number = kinds.contains(Kind.NUMBER) && low <= high;
        boolean string = kinds.contains(Kind.STRING) && (strings == null || !strings.isEmpty());
        return !number
                && !string
                && kinds.stream().allMatch(kind -> kind == Kind.NUMBER || kind == Kind.STRING);
    }
}
