package winnow.wire;

/// Reads the flag bytes of session frames.
public final class SessionFlags {
    private SessionFlags() {}

    /// A byte that is 0 or 1.
    ///
    /// @throws WireException if it is neither
    public static boolean read(WireReader in, String frame) {
        int flags = in.readUnsignedByte();
        if (flags > 1) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, frame + ": expected flags 0 or 1, found " + flags);
        }
        return flags == 1;
    }
}
