package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireException;
import winnow.wire.WireWriter;

/// Fields of a [FrameType#PUBLISH_PART] frame, which is read and written in place: destination
/// handle (varint), the next bytes of the body, 1 to [Protocol#MAX_PART_BYTES] (to the end). The
/// part that completes the body is the last one.
public final class PublishPart {
    private PublishPart() {}

    /// Writes a whole frame.
    public static void write(WireWriter out, int handle, byte[] bytes, int count) {
        int mark = out.beginFrame(FrameType.PUBLISH_PART);
        out.writeVarint(handle);
        out.writeRaw(bytes, 0, count);
        out.endFrame(mark);
    }

    /// Checks the number of bytes of a part.
    ///
    /// @param missing bytes of the body that have not come
    /// @throws WireException if there are none, or too many
    public static void check(int bytes, int missing) {
        int limit = Math.min(missing, Protocol.MAX_PART_BYTES);
        if (bytes < 1 || bytes > limit) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "a part of a message: expected 1 to " + limit + " bytes, found " + bytes);
        }
    }
}
