package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireWriter;

/// Fields of a [FrameType#DELIVERY_IN_PARTS] frame, which begins a message whose body follows in
/// [DeliveryPart] frames, and is read and written in place: consumer (varint), delivery id (varint
/// long), earlier deliveries (varint), bytes of the body (varint), message block up to the body (to
/// the end). What a browser gets has the delivery id 0, and no parts follow.
public final class DeliveryInParts {
    private DeliveryInParts() {}

    /// Writes the length, the type and the fields in front of the message block, which the caller
    /// sends next.
    ///
    /// @param blockBytes up to the body
    public static void write(
            WireWriter out,
            int consumer,
            long delivery,
            int earlierDeliveries,
            int bodyBytes,
            int blockBytes) {
        int mark = out.beginFrame(FrameType.DELIVERY_IN_PARTS);
        out.writeVarint(consumer);
        out.writeVarlong(delivery);
        out.writeVarint(earlierDeliveries);
        out.writeVarint(bodyBytes);
        out.endFrame(mark, blockBytes);
    }
}
