package winnow.wire.frame;

import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Makes everything that a transacted session has published since its last transaction, and these
/// acknowledgements, take effect together, and answers when that is on the disk.
///
/// @param transaction name by which it may be asked for later, unique; empty for none
/// @param deliveries what is acknowledged
public record Commit(int requestId, int session, String transaction, DeliveryRanges deliveries)
        implements SessionFrame {
    /// Longest name of a transaction, in characters. The broker remembers many of them.
    public static final int MAX_NAME = 256;

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
        int requestId = in.readVarint();
        int session = in.readVarint();
        String transaction = readName(in);
        return new Commit(requestId, session, transaction, DeliveryRanges.read(in));
    }

    /// Reads the name of a transaction.
    static String readName(WireReader in) {
        String transaction = in.readString();
        if (transaction.length() > MAX_NAME) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected a name of a transaction of at most "
                            + MAX_NAME
                            + " characters, found "
                            + transaction.length());
        }
        return transaction;
    }
}
