package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// A browser has been sent everything that it was to see. From the broker.
public record BrowseEnd(int consumer) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.BROWSE_END;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(consumer);
    }

    static BrowseEnd read(WireReader in) {
        return new BrowseEnd(in.readVarint());
    }
}
