package winnow.wire;

import java.util.ArrayList;
import java.util.List;

/// Ends the work of a branch of a distributed transaction, and answers when that is on the disk; a
/// rollback is answered at once.
///
/// @param publishing the transacted session that has published for it, 0 if none has
/// @param parts what sessions have received for it
public record EndBranch(int requestId, BranchEnd end, Xid xid, int publishing, List<Part> parts)
        implements SessionFrame {
    /// A part takes 2 bytes at least.
    private static final int MIN_PART_BYTES = 2;

    public EndBranch {
        parts = List.copyOf(parts);
    }

    /// What one session has received.
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

    static EndBranch read(WireReader in) {
        int requestId = in.readVarint();
        BranchEnd end = BranchEnd.read(in);
        Xid xid = Xid.read(in);
        int publishing = in.readVarint();
        int count = in.readVarint();
        if (count > in.remaining() / MIN_PART_BYTES) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "EndBranch: expected at most "
                            + in.remaining() / MIN_PART_BYTES
                            + " sessions, found "
                            + count);
        }
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(new Part(in.readVarint(), DeliveryRanges.read(in)));
        }
        return new EndBranch(requestId, end, xid, publishing, parts);
    }
}
