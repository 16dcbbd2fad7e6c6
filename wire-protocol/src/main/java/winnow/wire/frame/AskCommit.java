package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Asks whether the transaction of an earlier connection was committed. The answer is Accepted if
/// it was, and a refusal with [ErrorCode#UNKNOWN_TRANSACTION] if it was not and never will be.
///
/// @param transaction its name in [Commit], not empty
/// @param ageMillis milliseconds since the [Commit] was sent: the broker compares it with the age
///   of what it has forgotten
public record AskCommit(int requestId, String transaction, long ageMillis) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.ASK_COMMIT;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeString(transaction);
        out.writeVarlong(ageMillis);
    }

    static AskCommit read(WireReader in) {
        int requestId = in.readVarint();
        String transaction = Commit.readName(in);
        if (transaction.isEmpty()) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "AskCommit: expected the name of a transaction, found an empty one");
        }
        return new AskCommit(requestId, transaction, in.readVarlong());
    }
}
