package winnow.wire.frame;

import winnow.wire.DestinationKind;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Ends a temporary destination of this connection, which must have no consumer.
public record DeleteTemporary(int requestId, DestinationKind kind, String name)
        implements SessionFrame {
    @Override
    public int type() {
        return FrameType.DELETE_TEMPORARY;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeByte(kind.number());
        out.writeString(name);
    }

    static DeleteTemporary read(WireReader in) {
        return new DeleteTemporary(in.readVarint(), DestinationKind.read(in), in.readString());
    }
}
