package winnow.wire.frame;

import org.jspecify.annotations.Nullable;
import winnow.wire.FrameType;
import winnow.wire.SessionFlags;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

/// Asks for the prepared transactions that wait for a decision, some at a time: [Prepared] and then
/// Accepted answer it.
///
/// @param after the last one that is known, null to begin
public record ListPrepared(int requestId, @Nullable Xid after) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.LIST_PREPARED;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeByte(after == null ? 0 : 1);
        if (after != null) {
            after.write(out);
        }
    }

    static ListPrepared read(WireReader in) {
        int requestId = in.readVarint();
        return new ListPrepared(
                requestId, SessionFlags.read(in, "ListPrepared") ? Xid.read(in) : null);
    }
}
