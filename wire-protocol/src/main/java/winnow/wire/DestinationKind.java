package winnow.wire;

/// Kind of a destination. One byte on the wire.
public enum DestinationKind {
    TOPIC(1),
    QUEUE(2);

    private final int number;

    DestinationKind(int number) {
        this.number = number;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// Reads the byte; anything but a known kind is malformed.
    public static DestinationKind read(WireReader in) {
        int number = in.readUnsignedByte();
        return switch (number) {
            case 1 -> TOPIC;
            case 2 -> QUEUE;
            default ->
                    throw new WireException(
                            ErrorCode.MALFORMED_FRAME,
                            "expected destination kind 1 (topic) or 2 (queue), found " + number);
        };
    }
}
