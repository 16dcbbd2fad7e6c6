package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;

/// Reads the fields of control frames by their type.
final class ControlFrameReader {
    private ControlFrameReader() {}

    /// @throws winnow.wire.WireException if the fields are not as specified, or there is no such
    ///   type
    static ControlFrame read(int type, WireReader in) {
        return switch (type) {
            case FrameType.HELLO -> ControlFrame.Hello.read(in);
            case FrameType.WELCOME -> ControlFrame.Welcome.read(in);
            case FrameType.CHALLENGE -> new ControlFrame.Challenge(in.readString());
            case FrameType.RESPONSE -> new ControlFrame.Response(in.readString());
            case FrameType.OPEN -> ControlFrame.Open.read(in);
            case FrameType.RELEASE -> new ControlFrame.Release(in.readVarint());
            case FrameType.SUBSCRIBE -> ControlFrame.Subscribe.read(in);
            case FrameType.UNSUBSCRIBE ->
                    new ControlFrame.Unsubscribe(in.readVarint(), in.readVarint());
            case FrameType.INTERN -> new ControlFrame.Intern(in.readString());
            case FrameType.ACCEPTED -> new ControlFrame.Accepted(in.readVarint());
            case FrameType.REFUSED ->
                    new ControlFrame.Refused(in.readVarint(), readCode(in), in.readMessage());
            case FrameType.PUBLISHED -> new ControlFrame.Published(in.readVarlong());
            case FrameType.PUBLISH_REFUSED ->
                    new ControlFrame.PublishRefused(
                            in.readVarlong(), in.readVarint(), readCode(in), in.readMessage());
            case FrameType.NAMES -> ControlFrame.Names.read(in);
            case FrameType.BLOCKED -> new ControlFrame.Blocked(in.readVarint(), in.readMessage());
            case FrameType.CANCEL_PARTS, FrameType.PARTS_REFUSED, FrameType.DELIVERY_CUT ->
                    PartsFrame.read(type, in);
            case FrameType.HEARTBEAT -> new ControlFrame.Heartbeat();
            case FrameType.GOODBYE -> new ControlFrame.Goodbye(readCode(in), in.readMessage());
            default -> SessionFrame.read(type, in);
        };
    }

    private static int readCode(WireReader in) {
        return in.readShort() & 0xFFFF;
    }
}
