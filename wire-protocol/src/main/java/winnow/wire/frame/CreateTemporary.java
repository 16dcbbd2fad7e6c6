package winnow.wire.frame;

import winnow.wire.DestinationKind;
import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Makes a temporary destination, which ends with the connection.
///
/// @param name begins with [winnow.wire.Protocol#TEMPORARY_PREFIX], the connection id in 16
///   hexadecimal digits and `/`
public record CreateTemporary(int requestId, DestinationKind kind, String name)
        implements SessionFrame {
    @Override
    public int type() {
        return FrameType.CREATE_TEMPORARY;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeByte(kind.number());
        out.writeString(name);
    }

    static CreateTemporary read(WireReader in) {
        return new CreateTemporary(in.readVarint(), DestinationKind.read(in), in.readString());
    }
}
