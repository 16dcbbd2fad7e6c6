package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Ends a session and its consumers. What it has not acknowledged comes back; what it has published
/// and not committed is forgotten.
///
/// @param seen deliveries that the application has received and not acknowledged; the others were
///   not seen by anybody
public record EndSession(int requestId, int session, DeliveryRanges seen) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.END_SESSION;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(session);
        seen.write(out);
    }

    static EndSession read(WireReader in) {
        return new EndSession(in.readVarint(), in.readVarint(), DeliveryRanges.read(in));
    }
}
