package winnow.client.message;

import winnow.wire.BodyType;
import winnow.wire.MessageBlock;

/// Makes messages from blocks that arrived.
public final class ReceivedMessages {
    private static final BodyType[] BODY_TYPES = BodyType.values();

    private ReceivedMessages() {}

    /// The message of a block. Looks at the body type only; a damaged block shows when the
    /// application looks at the message.
    ///
    /// @param block kept, must not change
    /// @param frameBytes what it cost of its consumer's credit
    /// @param deliveryCount 1 on the first delivery
    public static WinnowMessage of(
            byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        int flags = block.length == 0 ? 0 : block[0];
        int number = flags >> MessageBlock.BODY_TYPE_SHIFT & MessageBlock.BODY_TYPE_MASK;
        BodyType type = number < BODY_TYPES.length ? BODY_TYPES[number] : BodyType.NONE;
        return switch (type) {
            case NONE -> new WinnowMessage(block, origin, frameBytes, deliveryCount);
            case TEXT -> new WinnowTextMessage(block, origin, frameBytes, deliveryCount);
            case BYTES -> new WinnowBytesMessage(block, origin, frameBytes, deliveryCount);
            case MAP -> new WinnowMapMessage(block, origin, frameBytes, deliveryCount);
            case STREAM -> new WinnowStreamMessage(block, origin, frameBytes, deliveryCount);
            case OBJECT -> new WinnowObjectMessage(block, origin, frameBytes, deliveryCount);
        };
    }

    /// The message of a block that the broker keeps until it is acknowledged.
    ///
    /// @param block kept, must not change
    /// @param delivery number of the delivery in its session
    /// @param deliveryCount 1 on the first delivery
    public static WinnowMessage stored(
            byte[] block, MessageOrigin origin, long delivery, int deliveryCount) {
        WinnowMessage message = of(block, origin, block.length, deliveryCount);
        message.deliveryId(delivery);
        return message;
    }
}
