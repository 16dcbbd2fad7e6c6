package winnow.client.message;

import jakarta.jms.MessageFormatException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.wire.ErrorCode;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;
import winnow.wire.WireException;
import winnow.wire.WireWriter;

/// Wire form of property, map and stream values (docs/PROTOCOL.md, 6).
final class ValueCoding {
    private ValueCoding() {}

    /// Writes type and value.
    ///
    /// @throws MessageFormatException if it is a string that [StrictUtf8#encode] refuses
    static void write(WireWriter out, @Nullable Object value) throws MessageFormatException {
        if (value instanceof String text) {
            out.writeByte(PropertyType.STRING);
            out.writeBytes(StrictUtf8.encode(text));
        } else if (value instanceof Integer number) {
            out.writeByte(PropertyType.INT);
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeByte(PropertyType.LONG);
            out.writeLong(number);
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? PropertyType.TRUE : PropertyType.FALSE);
        } else if (value instanceof Double number) {
            out.writeByte(PropertyType.DOUBLE);
            out.writeLong(Double.doubleToRawLongBits(number));
        } else if (value == null) {
            out.writeByte(PropertyType.NULL);
        } else {
            writeRare(out, value);
        }
    }

    private static void writeRare(WireWriter out, Object value) {
        if (value instanceof Float number) {
            out.writeByte(PropertyType.FLOAT);
            out.writeInt(Float.floatToRawIntBits(number));
        } else if (value instanceof Short number) {
            out.writeByte(PropertyType.SHORT);
            out.writeShort(number);
        } else if (value instanceof Byte number) {
            out.writeByte(PropertyType.BYTE);
            out.writeByte(number);
        } else if (value instanceof Character character) {
            out.writeByte(PropertyType.CHAR);
            out.writeShort(character);
        } else if (value instanceof byte[] bytes) {
            out.writeByte(PropertyType.BYTES);
            out.writeBytes(bytes);
        } else {
            throw new IllegalArgumentException("no value of a message: " + value.getClass());
        }
    }

    /// The value at which `cursor` stands.
    static @Nullable Object read(PropertyCursor cursor) {
        return switch (cursor.type()) {
            case PropertyType.NULL -> null;
            case PropertyType.FALSE -> false;
            case PropertyType.TRUE -> true;
            case PropertyType.BYTE -> (byte) cursor.integer();
            case PropertyType.SHORT -> (short) cursor.integer();
            case PropertyType.INT -> (int) cursor.integer();
            case PropertyType.LONG -> cursor.integer();
            case PropertyType.FLOAT -> cursor.floating();
            case PropertyType.DOUBLE -> cursor.doubleFloating();
            case PropertyType.STRING -> cursor.string();
            case PropertyType.CHAR -> (char) cursor.integer();
            default ->
                    Arrays.copyOfRange(
                            cursor.array(),
                            cursor.valueIndex(),
                            cursor.valueIndex() + cursor.valueLength());
        };
    }

    /// Reads the named values from `cursor` on.
    ///
    /// @param names finds names by number; null where all names are inline
    /// @throws WireException if there are bytes that are no entry, or a number without a name
    static Map<String, @Nullable Object> readEntries(
            PropertyCursor cursor, @Nullable NameTable names) {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        while (cursor.next()) {
            entries.put(name(cursor, names), read(cursor));
        }
        return entries;
    }

    private static String name(PropertyCursor cursor, @Nullable NameTable names) {
        if (cursor.nameId() == 0) {
            return cursor.inlineName();
        }
        String name = names == null ? null : names.name(cursor.nameId());
        if (name == null) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected the number of a known name, found " + cursor.nameId());
        }
        return name;
    }
}
