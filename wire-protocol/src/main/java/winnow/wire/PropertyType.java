package winnow.wire;

/// Types of property values: the byte behind a property's name. Numbers are big-endian.
public final class PropertyType {
    /// The property is there and null; no value bytes.
    public static final int NULL = 0;

    /// No value bytes.
    public static final int FALSE = 1;

    /// No value bytes.
    public static final int TRUE = 2;

    /// 1 byte.
    public static final int BYTE = 3;

    /// 2 bytes.
    public static final int SHORT = 4;

    /// 4 bytes.
    public static final int INT = 5;

    /// 8 bytes.
    public static final int LONG = 6;

    /// 4 bytes, IEEE 754.
    public static final int FLOAT = 7;

    /// 8 bytes, IEEE 754.
    public static final int DOUBLE = 8;

    /// Varint length in bytes, then UTF-8.
    public static final int STRING = 9;

    /// Varint length, then the bytes. Only in map and stream bodies.
    public static final int BYTES = 10;

    /// 2 bytes, UTF-16 code unit. Only in map and stream bodies.
    public static final int CHAR = 11;

    private PropertyType() {}
}
