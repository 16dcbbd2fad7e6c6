package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireWriter;

/// Fields of a [FrameType#DELIVERY_PART] frame, which is read and written in place: consumer
/// (varint), the next bytes of the body of the message that it is getting, 1 to
/// [winnow.wire.Protocol#MAX_PART_BYTES] (to the end).
public final class DeliveryPart {
    private DeliveryPart() {}

    /// Writes the length, the type and the consumer; the caller sends the bytes next.
    public static void write(WireWriter out, int consumer, int bytes) {
        int mark = out.beginFrame(FrameType.DELIVERY_PART);
        out.writeVarint(consumer);
        out.endFrame(mark, bytes);
    }
}
