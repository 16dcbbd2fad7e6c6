package winnow.client.transport;

import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.frame.Delivery;

/// Remainder of a frame that is longer than the client takes into its heap.
final class SkippedMessage {
    private SkippedMessage() {}

    /// Tells the subscription or consumer of a message that was not kept. Where the socket is read.
    ///
    /// @param in the beginning of the frame's fields
    /// @param frameBytes length of the frame
    /// @throws WireException if it is no message for one of them: the connection ends
    static void tell(int type, WireReader in, int frameBytes, Subscriptions to) {
        switch (type) {
            case FrameType.DELIVERY -> {
                int id = in.readVarint();
                int unusedFlags = Delivery.readFlags(in);
                to.skip(id, 0, frameBytes);
            }
            case FrameType.STORED_DELIVERY -> {
                int id = in.readVarint();
                to.skip(id, in.readVarlong(), frameBytes);
            }
            case FrameType.SHARED_DELIVERY ->
                    throw new WireException(
                            ErrorCode.INTERNAL_ERROR,
                            "a message of "
                                    + frameBytes
                                    + " bytes for several consumers does not fit into the heap"
                                    + " (option maxMessageBytes)");
            default ->
                    throw new WireException(
                            ErrorCode.FRAME_TOO_LARGE,
                            "expected a message, found a frame of type 0x"
                                    + Integer.toHexString(type)
                                    + " and "
                                    + frameBytes
                                    + " bytes, which does not fit into the heap"
                                    + " (option maxMessageBytes)");
        }
    }
}
