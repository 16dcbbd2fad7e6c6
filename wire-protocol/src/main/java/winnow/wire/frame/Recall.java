package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Another consumer waits for what this one was sent ahead, so that it should be [given
/// back][GiveBack]. From the broker, where both sides have set [winnow.wire.Protocol#RECALL].
public record Recall(int consumer) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.RECALL;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(consumer);
    }

    static Recall read(WireReader in) {
        return new Recall(in.readVarint());
    }
}
