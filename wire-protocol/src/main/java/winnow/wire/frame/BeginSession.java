package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.SessionFlags;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Begins a session: consumers and publishes that are acknowledged and committed together.
///
/// @param session chosen by the client, 1 to [winnow.wire.Protocol#MAX_ID], not in use
/// @param transacted whether what it publishes and acknowledges takes effect by [Commit]
public record BeginSession(int requestId, int session, boolean transacted) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.BEGIN_SESSION;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(session);
        out.writeByte(transacted ? 1 : 0);
    }

    static BeginSession read(WireReader in) {
        return new BeginSession(
                in.readVarint(), in.readVarint(), SessionFlags.read(in, "BeginSession"));
    }
}
