package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// Fields of the frames that bring a message to subscriptions, read and written in place.
///
/// [winnow.wire.FrameType#DELIVERY]: subscription id (varint), flags (1 byte), delivery count
/// (varint, only if redelivered), message block (to the end).
/// [winnow.wire.FrameType#SHARED_DELIVERY]: flags (1 byte, 0), bytes of the block (varint), message
/// block, subscription ids (varints, to the end): the ids come last so that the writer can add one
/// to the frame it wrote last.
public final class Delivery {
    /// Bit of the flags: delivered before, the delivery count follows.
    public static final int REDELIVERED = 1;

    private static final int KNOWN_FLAGS = REDELIVERED;

    private Delivery() {}

    /// Bytes of a whole [winnow.wire.FrameType#DELIVERY] of a message that was not delivered
    /// before. This is what a message costs in credit, also if it comes in a
    /// [winnow.wire.FrameType#SHARED_DELIVERY].
    ///
    /// @param subscriptionId 1 to [Protocol#MAX_ID]
    public static int frameBytes(int subscriptionId, int blockBytes) {
        int idBytes = subscriptionId < 1 << 7 ? 1 : subscriptionId < 1 << 14 ? 2 : 3;
        return Protocol.LENGTH_BYTES + 1 + idBytes + 1 + blockBytes;
    }

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
