package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;

/// The frames about messages in parts that carry no part of one: in use on a connection whose two
/// sides have both set [winnow.wire.Protocol#PARTS].
public sealed interface PartsFrame extends ControlFrame
        permits CancelParts, PartsRefused, DeliveryCut {
    /// Reads the fields of one of them.
    ///
    /// @param type its [FrameType]
    static PartsFrame read(int type, WireReader in) {
        return switch (type) {
            case FrameType.CANCEL_PARTS -> CancelParts.read(in);
            case FrameType.PARTS_REFUSED -> PartsRefused.read(in);
            case FrameType.DELIVERY_CUT -> DeliveryCut.read(in);
            default ->
                    throw new IllegalArgumentException(
                            "expected a frame about parts, found 0x" + Integer.toHexString(type));
        };
    }
}
