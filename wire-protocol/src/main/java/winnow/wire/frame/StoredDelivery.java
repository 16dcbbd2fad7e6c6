package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireWriter;

/// Fields of a [FrameType#STORED_DELIVERY] frame, which brings a message to a consumer of a session
/// and is read and written in place: consumer (varint), delivery id (varint long), earlier
/// deliveries (varint), message block (to the end).
///
/// The first delivery of a session has the id 1, each other one more than the one before. What a
/// browser gets has the id 0 and is not acknowledged. Earlier deliveries are those that are known
/// or possible: above 0 the message is marked as redelivered.
public final class StoredDelivery {
    private StoredDelivery() {}

    /// Writes the length, the type and the fields in front of the message block, which the caller
    /// sends next.
    public static void write(
            WireWriter out, int consumer, long delivery, int earlierDeliveries, int blockBytes) {
        int mark = out.beginFrame(FrameType.STORED_DELIVERY);
        out.writeVarint(consumer);
        out.writeVarlong(delivery);
        out.writeVarint(earlierDeliveries);
        out.endFrame(mark, blockBytes);
    }
}
