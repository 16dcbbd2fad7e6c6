package winnow.wire.frame;

import java.util.ArrayList;
import java.util.List;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.SessionFlags;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

/// Some of the transactions that are prepared and wait for a decision, in the order of their bytes.
///
/// @param more whether there are others behind them
public record Prepared(int requestId, boolean more, List<Xid> xids) implements SessionFrame {
    /// So many at most are in one frame.
    public static final int MAX_COUNT = 100;

    public Prepared {
        xids = List.copyOf(xids);
    }

    @Override
    public int type() {
        return FrameType.PREPARED;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeByte(more ? 1 : 0);
        out.writeVarint(xids.size());
        xids.forEach(xid -> xid.write(out));
    }

    static Prepared read(WireReader in) {
        int requestId = in.readVarint();
        boolean more = SessionFlags.read(in, "Prepared");
        int count = in.readVarint();
        if (count > MAX_COUNT) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "Prepared: expected at most " + MAX_COUNT + " transactions, found " + count);
        }
        List<Xid> xids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            xids.add(Xid.read(in));
        }
        return new Prepared(requestId, more, xids);
    }
}
