package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// A consumer waits in vain: what others of its queue or subscription were sent ahead is
/// [recalled][Recall]. Refused if the consumer can get nothing because too much is unacknowledged.
/// In use where both sides have set [winnow.wire.Protocol#RECALL].
public record Ask(int requestId, int consumer) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.ASK;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(consumer);
    }

    static Ask read(WireReader in) {
        return new Ask(in.readVarint(), in.readVarint());
    }
}
