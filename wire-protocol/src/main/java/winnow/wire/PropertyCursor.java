package winnow.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Walks over the entries of a property block (also used by map bodies) without allocating. Reused;
/// borrows the array.
///
/// Entry: name (varint: 0 for an inline string that follows, else its number in the dictionary of
/// the broker), type byte ([PropertyType]), value.
public final class PropertyCursor {
    private static final VarHandle SHORT = bigEndian(short[].class);
    private static final VarHandle INT = bigEndian(int[].class);
    private static final VarHandle LONG = bigEndian(long[].class);

    /// Length of a value of a body by its type; negative for types whose length stands in front of
    /// the value.
    private static final byte[] BODY_VALUES = valueBytes();

    /// The same for properties, which have fewer types.
    private static final byte[] PROPERTIES = Arrays.copyOf(BODY_VALUES, PropertyType.STRING + 1);

    /// For entries that are not of the usual form.
    private final WireReader in = new WireReader();

    private byte[] array = {};
    private byte[] valueBytes = BODY_VALUES;
    private int position;
    private int limit;
    private int nameId;
    private int nameIndex;
    private int nameLength;
    private int type;
    private int valueIndex;
    private int valueLength;

    /// Stands in front of the first entry of a body, from `start` to `end` of `array`.
    public void start(byte[] array, int start, int end) {
        start(array, start, end, BODY_VALUES);
    }

    /// Stands in front of the first property: an entry whose value is neither bytes nor a char.
    void startProperties(byte[] array, int start, int end) {
        start(array, start, end, PROPERTIES);
    }

    /// References are written only if they change, because that costs up to 5 ns each with G1.
    @SuppressWarnings("ReferenceEquality") // Whether it is the same array.
    private void start(byte[] array, int start, int end, byte[] lengths) {
        if (this.array != array) {
            this.array = array;
        }
        if (valueBytes != lengths) {
            valueBytes = lengths;
        }
        position = start;
        limit = end;
    }

    /// Goes to the next entry.
    ///
    /// @return false at the end
    /// @throws WireException if there are bytes that are no entry
    public boolean next() {
        if (position >= limit) {
            return false;
        }
        if (!readUsual()) {
            in.wrap(array, position, limit);
            readName();
            readValue();
            position = in.position();
        }
        return true;
    }

    /// Reads an entry whose name number and length take a byte each, as nearly all do. It keeps the
    /// position in a local variable instead of a reader's field: ten properties take 60 ns instead
    /// of 85.
    ///
    /// @return false, and nothing read, if it is another entry or none
    private boolean readUsual() {
        byte[] bytes = array;
        byte[] lengths = valueBytes;
        int at = position;
        int rest = limit - at - 2;
        if (rest < 0) {
            return false;
        }
        int name = bytes[at];
        int valueType = bytes[at + 1];
        if (name <= 0 || valueType < 0 || valueType >= lengths.length) {
            return false;
        }
        at += 2;
        int length = lengths[valueType];
        if (length < 0) {
            if (rest == 0) {
                return false;
            }
            length = bytes[at++];
            rest--;
        }
        if (length < 0 || length > rest) {
            return false;
        }
        nameId = name;
        type = valueType;
        valueIndex = at;
        valueLength = length;
        position = at + length;
        return true;
    }

    private void readName() {
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
    }

    /// Goes to the next value of a stream body, where values have no names.
    ///
    /// @return false at the end
    public boolean nextValue() {
        if (position >= limit) {
            return false;
        }
        in.wrap(array, position, limit);
        readValue();
        position = in.position();
        return true;
    }

    private void readValue() {
        type = in.readUnsignedByte();
        if (type >= valueBytes.length) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected a property type 0 to " + (valueBytes.length - 1) + ", found " + type);
        }
        valueLength = valueBytes[type] < 0 ? in.readLength() : valueBytes[type];
        valueIndex = in.position();
        in.skip(valueLength);
    }

    private static VarHandle bigEndian(Class<?> arrayClass) {
        return MethodHandles.byteArrayViewVarHandle(arrayClass, ByteOrder.BIG_ENDIAN);
    }

    private static byte[] valueBytes() {
        byte[] bytes = new byte[PropertyType.CHAR + 1];
        bytes[PropertyType.BYTE] = 1;
        bytes[PropertyType.SHORT] = 2;
        bytes[PropertyType.CHAR] = 2;
        bytes[PropertyType.INT] = 4;
        bytes[PropertyType.FLOAT] = 4;
        bytes[PropertyType.LONG] = 8;
        bytes[PropertyType.DOUBLE] = 8;
        bytes[PropertyType.STRING] = -1;
        bytes[PropertyType.BYTES] = -1;
        return bytes;
    }

    /// Number of the name, or 0 if the name is inline.
    public int nameId() {
        return nameId;
    }

    /// The inline name; only if [#nameId] is 0.
    public String inlineName() {
        return new String(array, nameIndex, nameLength, StandardCharsets.UTF_8);
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
        return array;
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
        return switch (valueLength) {
            case Byte.BYTES -> array[valueIndex];
            case Short.BYTES -> (short) SHORT.get(array, valueIndex);
            case Integer.BYTES -> (int) INT.get(array, valueIndex);
            default -> (long) LONG.get(array, valueIndex);
        };
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
        return new String(array, valueIndex, valueLength, StandardCharsets.UTF_8);
    }
}
