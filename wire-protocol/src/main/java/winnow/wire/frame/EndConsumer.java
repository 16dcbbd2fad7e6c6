package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Ends a consumer; no delivery for it follows the answer. What its session has not acknowledged
/// stays with the session if the application has seen it, and comes back otherwise.
///
/// @param seen deliveries of this consumer that the application has received and not acknowledged
public record EndConsumer(int requestId, int consumer, DeliveryRanges seen)
        implements SessionFrame {
    @Override
    public int type() {
        return FrameType.END_CONSUMER;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(consumer);
        seen.write(out);
    }

    static EndConsumer read(WireReader in) {
        return new EndConsumer(in.readVarint(), in.readVarint(), DeliveryRanges.read(in));
    }
}
