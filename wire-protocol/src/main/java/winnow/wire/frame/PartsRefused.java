package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The broker will not take the message in parts that a producer is sending: the client need not
/// send the rest, and sends [CancelParts] then. From the broker. If the last part comes
/// nevertheless, the message is refused as others are, by [ControlFrame.PublishRefused].
///
/// @param handle that it is published to
/// @param number of the message among those in parts of the handle: 1, 2, … (varint long)
/// @param code number of an [winnow.wire.ErrorCode], 2 bytes
public record PartsRefused(int handle, long number, int code, String message)
        implements PartsFrame {
    @Override
    public int type() {
        return FrameType.PARTS_REFUSED;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(handle);
        out.writeVarlong(number);
        out.writeShort(code);
        out.writeMessage(message);
    }

    static PartsRefused read(WireReader in) {
        return new PartsRefused(
                in.readVarint(), in.readVarlong(), in.readShort() & 0xFFFF, in.readMessage());
    }
}
