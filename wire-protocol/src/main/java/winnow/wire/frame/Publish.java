package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Fields of a [winnow.wire.FrameType#PUBLISH] frame, which is read and written in place:
/// destination handle (varint), flags (1 byte), number (varint long, only with [#NUMBERED]),
/// session (varint, only with [#TRANSACTED]), message block (to the end).
public final class Publish {
    /// Bit of the flags: the producer wants to know when the message was handled.
    public static final int CONFIRM = 1;

    /// Bit of the flags: the message belongs to the transaction of a session, whose number follows.
    public static final int TRANSACTED = 2;

    /// Bit of the flags: the message is sent again, and the number follows that it had among the
    /// confirmed ones. Needs [#CONFIRM], and [winnow.wire.Protocol#RESUME] on both sides.
    public static final int NUMBERED = 4;

    private static final int KNOWN_FLAGS = CONFIRM | TRANSACTED | NUMBERED;

    private Publish() {}

    /// Reads the flags and fails on bits that have no meaning.
    public static int readFlags(WireReader in) {
        int flags = in.readUnsignedByte();
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Publish: expected flags 0 to 7, found " + flags);
        }
        if ((flags & (NUMBERED | CONFIRM)) == NUMBERED) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "Publish: expected a number only with the confirm flag, found flags " + flags);
        }
        return flags;
    }

    /// Writes the fields behind the handle and in front of the message block.
    ///
    /// @param flags of [#CONFIRM]
    /// @param number 0 for none
    /// @param session 0 for none
    public static void writeFlags(WireWriter out, int flags, long number, int session) {
        int numbered = number == 0 ? 0 : NUMBERED;
        int transacted = session == 0 ? 0 : TRANSACTED;
        out.writeByte(flags | numbered | transacted);
        if (number != 0) {
            out.writeVarlong(number);
        }
        if (session != 0) {
            out.writeVarint(session);
        }
    }

    /// Reads the number behind the flags, 0 if there is none.
    public static long readNumber(WireReader in, int flags) {
        if ((flags & NUMBERED) == 0) {
            return 0;
        }
        long number = in.readVarlong();
        if (number == 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Publish: expected a number from 1, found 0");
        }
        return number;
    }
}
