package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Gives back what a consumer was sent and its application has not seen, and all of its credit: no
/// delivery for it follows the answer before it gives credit again. In use where both sides have
/// set [winnow.wire.Protocol#RECALL].
///
/// @param seen deliveries of this consumer that the application has received and not acknowledged
public record GiveBack(int requestId, int consumer, DeliveryRanges seen) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.GIVE_BACK;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(consumer);
        seen.write(out);
    }

    static GiveBack read(WireReader in) {
        return new GiveBack(in.readVarint(), in.readVarint(), DeliveryRanges.read(in));
    }
}
