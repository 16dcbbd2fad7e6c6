package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.SessionFlags;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

/// Commits a prepared transaction or rolls it back, and answers when that is on the disk. Any
/// connection may decide.
public record Decide(int requestId, Xid xid, boolean commit) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.DECIDE;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        xid.write(out);
        out.writeByte(commit ? 1 : 0);
    }

    static Decide read(WireReader in) {
        return new Decide(in.readVarint(), Xid.read(in), SessionFlags.read(in, "Decide"));
    }
}
