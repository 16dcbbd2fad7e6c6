package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Ends the message in parts that a producer has begun: nothing of it is kept. From the client; not
/// answered, and not counted among the messages that are confirmed.
///
/// @param handle that it was published to
public record CancelParts(int handle) implements PartsFrame {
    @Override
    public int type() {
        return FrameType.CANCEL_PARTS;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(handle);
    }

    static CancelParts read(WireReader in) {
        return new CancelParts(in.readVarint());
    }
}
