package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Gives back everything that a session has not acknowledged, and forgets what it has published and
/// not committed. All deliveries that are on their way before the answer are void; the credit of
/// what comes back, they included, is as if it had not been delivered.
///
/// @param failed deliveries that the application has received: they count as attempts
public record Recover(int requestId, int session, DeliveryRanges failed) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.RECOVER;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(session);
        failed.write(out);
    }

    static Recover read(WireReader in) {
        return new Recover(in.readVarint(), in.readVarint(), DeliveryRanges.read(in));
    }
}
