package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The rest of a message in parts does not come, because the broker cannot read it: the client
/// forgets what has come, and its credit is as before. From the broker.
///
/// @param consumer that was to get it
public record DeliveryCut(int consumer) implements PartsFrame {
    @Override
    public int type() {
        return FrameType.DELIVERY_CUT;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(consumer);
    }

    static DeliveryCut read(WireReader in) {
        return new DeliveryCut(in.readVarint());
    }
}
