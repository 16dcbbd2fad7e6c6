package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Says what has become of a delivery on the client's side. Not answered; one that the session does
/// not have any more is passed over.
public record Mark(int session, Fate fate, long delivery) implements SessionFrame {
    /// Fate of a delivery. The number travels.
    public enum Fate {
        /// The application is about to get it. If the session ends before it is acknowledged, that
        /// counts as an attempt.
        SEEN(1),

        /// It has expired before the application could get it, and ends with that.
        EXPIRED(2);

        private static final Fate[] BY_NUMBER = values();

        private final int number;

        Fate(int number) {
            this.number = number;
        }

        private static Fate read(WireReader in) {
            int number = in.readUnsignedByte();
            for (Fate fate : BY_NUMBER) {
                if (fate.number == number) {
                    return fate;
                }
            }
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Mark: expected 1 or 2, found " + number);
        }
    }

    @Override
    public int type() {
        return FrameType.MARK;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(session);
        out.writeByte(fate.number);
        out.writeVarlong(delivery);
    }

    static Mark read(WireReader in) {
        return new Mark(in.readVarint(), Fate.read(in), in.readVarlong());
    }
}
