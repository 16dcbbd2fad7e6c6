package winnow.wire;

/// Type of the content of a body; three bits of a block's flags.
public enum BodyType {
    /// No body: a plain message.
    NONE(0),
    /// UTF-8 text.
    TEXT(1),
    /// Uninterpreted bytes.
    BYTES(2),
    /// Named values, coded like a property block.
    MAP(3),
    /// Values in order.
    STREAM(4),
    /// A serialised Java object. Only a client may ever look inside.
    OBJECT(5);

    private static final BodyType[] BY_NUMBER = values();

    private final int number;

    BodyType(int number) {
        this.number = number;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// The type with that number.
    ///
    /// @throws WireException if there is none
    public static BodyType ofNumber(int number) {
        if (number >= BY_NUMBER.length) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "expected body type 0 to 5, found " + number);
        }
        return BY_NUMBER[number];
    }
}
