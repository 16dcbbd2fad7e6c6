package winnow.wire.frame;

import java.util.ArrayList;
import java.util.List;
import winnow.wire.BranchEnd;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

/// Ends the work of a branch of a distributed transaction, and answers when that is on the disk; a
/// rollback is answered at once.
///
/// @param publishing the transacted session that has published for it, 0 if none has
/// @param parts what sessions have received for it: at most 4096 sessions, and
///   [DeliveryRanges#MAX_RANGES] in all of them
public record EndBranch(int requestId, BranchEnd end, Xid xid, int publishing, List<Part> parts)
        implements SessionFrame {
    /// Most sessions.
    private static final int MAX_PARTS = 4096;

    /// A part takes 2 bytes at least.
    private static final int MIN_PART_BYTES = 2;

    public EndBranch {
        parts = List.copyOf(parts);
    }

    /// Deliveries that one session has received.
    ///
    /// @param deliveries those that the session does not have are passed over
    public record Part(int session, DeliveryRanges deliveries) {}

    @Override
    public int type() {
        return FrameType.END_BRANCH;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeByte(end.number());
        xid.write(out);
        out.writeVarint(publishing);
        out.writeVarint(parts.size());
        for (Part part : parts) {
            out.writeVarint(part.session);
            part.deliveries.write(out);
        }
    }

    public static EndBranch read(WireReader in) {
        int requestId = in.readVarint();
        BranchEnd end = BranchEnd.read(in);
        Xid xid = Xid.read(in);
        int publishing = in.readVarint();
        int count = in.readVarint();
        int most = Math.min(MAX_PARTS, in.remaining() / MIN_PART_BYTES);
        if (count > most) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "EndBranch: expected at most " + most + " sessions, found " + count);
        }
        List<Part> parts = new ArrayList<>(count);
        int left = DeliveryRanges.MAX_RANGES;
        for (int i = 0; i < count; i++) {
            Part part = new Part(in.readVarint(), DeliveryRanges.read(in, left));
            left -= part.deliveries.count();
            parts.add(part);
        }
        return new EndBranch(requestId, end, xid, publishing, parts);
    }
}
