package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Fields of a [FrameType#PUBLISH_IN_PARTS] frame, which begins a message whose body follows in
/// [PublishPart] frames, and is read and written in place: destination handle (varint), flags (1
/// byte), number and session as in [Publish], bytes of the body (varint, at least 1), message block
/// up to the body (to the end).
public final class PublishInParts {
    private PublishInParts() {}

    /// Begins a frame and writes the fields in front of the message block, which the caller writes
    /// next.
    ///
    /// @param flags of [Publish#CONFIRM]
    /// @param number 0 for none; counts when the last part has come
    /// @param session 0 for none
    /// @return the mark for [WireWriter#endFrame]
    public static int begin(
            WireWriter out, int handle, int flags, long number, int session, int bodyBytes) {
        int mark = out.beginFrame(FrameType.PUBLISH_IN_PARTS);
        out.writeVarint(handle);
        Publish.writeFlags(out, flags, number, session);
        out.writeVarint(bodyBytes);
        return mark;
    }

    /// Reads the bytes of the body.
    ///
    /// @throws WireException if there are none
    public static int readBodyBytes(WireReader in) {
        int bytes = in.readVarint();
        if (bytes == 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "a message in parts: expected a body of at least 1 byte, found 0");
        }
        return bytes;
    }
}
