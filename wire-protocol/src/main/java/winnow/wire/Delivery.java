package winnow.wire;

/// Fields of the frames that bring a message to subscriptions, read and written in place.
///
/// [FrameType#DELIVERY]: subscription id (varint), flags (1 byte), delivery count (varint, only if
/// redelivered), message block (to the end). [FrameType#SHARED_DELIVERY]: number of subscriptions
/// (varint, 2 or more), their ids (varints), flags (1 byte, 0), message block.
public final class Delivery {
    /// Bit of the flags: delivered before, the delivery count follows.
    public static final int REDELIVERED = 1;

    private static final int KNOWN_FLAGS = REDELIVERED;

    private Delivery() {}

    /// Reads the flags and fails on bits that have no meaning.
    public static int readFlags(WireReader in) {
        int flags = in.readUnsignedByte();
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Delivery: expected flags 0 or 1, found " + flags);
        }
        return flags;
    }
}
