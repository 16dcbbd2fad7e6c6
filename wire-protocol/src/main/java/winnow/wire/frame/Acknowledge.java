package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The application has processed messages of a session that is not transacted.
///
/// @param requestId answered when the acknowledgement is on the disk; 0 for no answer, then it is
///   written with what is written next
/// @param deliveries those that the session does not have are passed over
public record Acknowledge(int requestId, int session, DeliveryRanges deliveries)
        implements SessionFrame {
    @Override
    public int type() {
        return FrameType.ACKNOWLEDGE;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(session);
        deliveries.write(out);
    }

    static Acknowledge read(WireReader in) {
        return new Acknowledge(in.readVarint(), in.readVarint(), DeliveryRanges.read(in));
    }
}
