package winnow.client.message;

import jakarta.jms.MessageFormatException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The conversion table of Jakarta Messaging 3.1, 3.5.4 (properties), 3.11.3 (map and stream
/// bodies): which types a value may be read as. A missing or null value converts as `valueOf` of
/// the type does with a null string: a boolean is false, a whole number a NumberFormatException, a
/// float or double a NullPointerException.
final class ValueConversion {
    private ValueConversion() {}

    static boolean toBoolean(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Boolean flag) {
            return flag;
        }
        if (value == null || value instanceof String) {
            return Boolean.parseBoolean((String) value);
        }
        throw mismatch(value, "boolean");
    }

    static byte toByte(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Byte number) {
            return number;
        }
        return Byte.parseByte(text(value, "byte"));
    }

    static short toShort(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).shortValue();
        }
        return Short.parseShort(text(value, "short"));
    }

    static int toInt(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        }
        return Integer.parseInt(text(value, "int"));
    }

    static long toLong(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return Long.parseLong(text(value, "long"));
    }

    static float toFloat(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Float number) {
            return number;
        }
        return Float.parseFloat(text(notNull(value, "float"), "float"));
    }

    static double toDouble(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        }
        return Double.parseDouble(text(notNull(value, "double"), "double"));
    }

    /// A character; unlike the others it does not convert from a string, and null is a
    /// NullPointerException (3.11.3).
    static char toChar(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Character character) {
            return character;
        }
        throw mismatch(notNull(value, "char"), "char");
    }

    static @Nullable String toText(@Nullable Object value) throws MessageFormatException {
        if (value instanceof byte[]) {
            throw mismatch(value, "String");
        }
        return value == null ? null : value.toString();
    }

    static byte @Nullable [] toBytes(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        throw mismatch(value, "byte[]");
    }

    /// True if a value may be a property: a boxed primitive but no character, a string, or null.
    static boolean isPropertyValue(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || (value instanceof Number number && isBoxedNumber(number));
    }

    /// True if a value may be in a map or stream body: also characters and byte arrays.
    static boolean isBodyValue(@Nullable Object value) {
        return isPropertyValue(value) || value instanceof Character || value instanceof byte[];
    }

    private static boolean isBoxedNumber(Number value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Float;
    }

    private static Object notNull(@Nullable Object value, String wanted) {
        return Objects.requireNonNull(value, () -> "expected a " + wanted + ", found null");
    }

    static MessageFormatException unusable(Object value) {
        return new MessageFormatException(
                "expected a boxed primitive or a string, found " + value.getClass().getName());
    }

    private static String text(@Nullable Object value, String wanted)
            throws MessageFormatException {
        if (value instanceof String text) {
            return text;
        }
        if (value == null) {
            throw new NumberFormatException("expected a " + wanted + ", found null");
        }
        throw mismatch(value, wanted);
    }

    private static MessageFormatException mismatch(Object value, String wanted) {
        return new MessageFormatException(
                "expected a value that converts to %s, found a %s"
                        .formatted(wanted, value.getClass().getSimpleName()));
    }
}
