package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Gives deliveries back that the client cannot take, because they are too large for it; each
/// counts as a failed attempt. It is not answered, and parts of these deliveries may still come. In
/// use where both sides have set [winnow.wire.Protocol#RECALL].
public record Reject(int session, DeliveryRanges deliveries) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.REJECT;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(session);
        deliveries.write(out);
    }

    static Reject read(WireReader in) {
        return new Reject(in.readVarint(), DeliveryRanges.read(in));
    }
}
