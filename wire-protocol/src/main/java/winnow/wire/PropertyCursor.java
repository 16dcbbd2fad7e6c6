package winnow.wire;

import java.nio.charset.StandardCharsets;

/// Walks over the entries of a property block (also used by map bodies) without allocating. Reused;
/// borrows the array.
///
/// Entry: name (varint: 0 for an inline string that follows, else its number in the dictionary of
/// the broker), type byte ([PropertyType]), value.
public final class PropertyCursor {
    private final WireReader in = new WireReader();
    private int nameId;
    private int nameIndex;
    private int nameLength;
    private int type;
    private int valueIndex;
    private int valueLength;

    /// Stands in front of the first entry of `array` from `start` to `end`.
    public void start(byte[] array, int start, int end) {
        in.wrap(array, start, end);
    }

    /// Goes to the next entry.
    ///
    /// @return false at the end
    /// @throws WireException if there are bytes that are no entry
    public boolean next() {
        if (in.remaining() == 0) {
            return false;
        }
        nameId = in.readVarint();
        if (nameId == 0) {
            nameLength = in.readLength();
            nameIndex = in.position();
            in.skip(nameLength);
            if (nameLength == 0) {
                throw new WireException(
                        ErrorCode.MALFORMED_FRAME, "expected a property name, found an empty one");
            }
        }
        readValue();
        return true;
    }

    /// Goes to the next value of a stream body, where values have no names.
    ///
    /// @return false at the end
    public boolean nextValue() {
        if (in.remaining() == 0) {
            return false;
        }
        readValue();
        return true;
    }

    private void readValue() {
        type = in.readUnsignedByte();
        valueLength =
                switch (type) {
                    case PropertyType.NULL, PropertyType.FALSE, PropertyType.TRUE -> 0;
                    case PropertyType.BYTE -> 1;
                    case PropertyType.SHORT, PropertyType.CHAR -> 2;
                    case PropertyType.INT, PropertyType.FLOAT -> 4;
                    case PropertyType.LONG, PropertyType.DOUBLE -> 8;
                    case PropertyType.STRING, PropertyType.BYTES -> in.readLength();
                    default ->
                            throw new WireException(
                                    ErrorCode.MALFORMED_FRAME,
                                    "expected a property type 0 to 11, found " + type);
                };
        valueIndex = in.position();
        in.skip(valueLength);
    }

    /// Number of the name, or 0 if the name is inline.
    public int nameId() {
        return nameId;
    }

    /// The inline name; only if [#nameId] is 0.
    public String inlineName() {
        return new String(in.array(), nameIndex, nameLength, StandardCharsets.UTF_8);
    }

    /// Index of the inline name's UTF-8 bytes; only if [#nameId] is 0.
    public int nameIndex() {
        return nameIndex;
    }

    public int nameLength() {
        return nameLength;
    }

    /// One of [PropertyType].
    public int type() {
        return type;
    }

    /// The array that is read. Borrowed.
    public byte[] array() {
        return in.array();
    }

    /// Index of the value's first byte (behind the length of strings and byte arrays).
    public int valueIndex() {
        return valueIndex;
    }

    public int valueLength() {
        return valueLength;
    }

    /// Value of a `BYTE`, `SHORT`, `INT` or `LONG`.
    public long integer() {
        byte[] array = in.array();
        long value = array[valueIndex];
        for (int i = 1; i < valueLength; i++) {
            value = value << 8 | (array[valueIndex + i] & 0xFF);
        }
        return value;
    }

    /// Value of a `FLOAT`.
    public float floating() {
        return Float.intBitsToFloat((int) integer());
    }

    /// Value of a `DOUBLE`.
    public double doubleFloating() {
        return Double.longBitsToDouble(integer());
    }

    /// Value of a `STRING`.
    public String string() {
        return new String(in.array(), valueIndex, valueLength, StandardCharsets.UTF_8);
    }
}
