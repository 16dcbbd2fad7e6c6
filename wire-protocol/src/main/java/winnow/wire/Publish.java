package winnow.wire;

/// Fields of a [FrameType#PUBLISH] frame, which is read and written in place: destination handle
/// (varint), flags (1 byte), message block (to the end).
public final class Publish {
    /// Bit of the flags: the producer wants to know when the message was handled.
    public static final int CONFIRM = 1;

    private static final int KNOWN_FLAGS = CONFIRM;

    private Publish() {}

    /// Reads the flags and fails on bits that have no meaning.
    public static int readFlags(WireReader in) {
        int flags = in.readUnsignedByte();
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Publish: expected flags 0 or 1, found " + flags);
        }
        return flags;
    }
}
