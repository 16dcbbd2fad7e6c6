package winnow.wire;

/// Makes everything that a transacted session has published since its last transaction, and these
/// acknowledgements, take effect together, and answers when that is on the disk.
///
/// @param transaction name by which it may be asked for later, unique; empty for none
/// @param deliveries what is acknowledged
public record Commit(int requestId, int session, String transaction, DeliveryRanges deliveries)
        implements SessionFrame {
    @Override
    public int type() {
        return FrameType.COMMIT;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(session);
        out.writeString(transaction);
        deliveries.write(out);
    }

    static Commit read(WireReader in) {
        return new Commit(
                in.readVarint(), in.readVarint(), in.readString(), DeliveryRanges.read(in));
    }
}
