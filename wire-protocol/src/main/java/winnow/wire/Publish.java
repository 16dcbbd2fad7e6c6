package winnow.wire;

/// Fields of a [FrameType#PUBLISH] frame, which is read and written in place: destination handle
/// (varint), flags (1 byte), session (varint, only with [#TRANSACTED]), message block (to the end).
public final class Publish {
    /// Bit of the flags: the producer wants to know when the message was handled.
    public static final int CONFIRM = 1;

    /// Bit of the flags: the message belongs to the transaction of a session, whose number follows.
    public static final int TRANSACTED = 2;

    private static final int KNOWN_FLAGS = CONFIRM | TRANSACTED;

    private Publish() {}

    /// Reads the flags and fails on bits that have no meaning.
    public static int readFlags(WireReader in) {
        int flags = in.readUnsignedByte();
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Publish: expected flags 0 to 3, found " + flags);
        }
        return flags;
    }
}
