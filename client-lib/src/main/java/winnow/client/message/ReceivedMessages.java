package winnow.client.message;

import java.io.IOException;
import java.util.Arrays;
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
        return switch (typeOf(block)) {
            case NONE -> new WinnowMessage(block, origin, frameBytes, deliveryCount);
            case TEXT -> new WinnowTextMessage(block, origin, frameBytes, deliveryCount);
            case BYTES -> new WinnowBytesMessage(block, origin, frameBytes, deliveryCount);
            case MAP -> new WinnowMapMessage(block, origin, frameBytes, deliveryCount);
            case STREAM -> new WinnowStreamMessage(block, origin, frameBytes, deliveryCount);
            case OBJECT -> new WinnowObjectMessage(block, origin, frameBytes, deliveryCount);
        };
    }

    private static BodyType typeOf(byte[] block) {
        int flags = block.length == 0 ? 0 : block[0];
        int number = flags >> MessageBlock.BODY_TYPE_SHIFT & MessageBlock.BODY_TYPE_MASK;
        return number < BODY_TYPES.length ? BODY_TYPES[number] : BodyType.NONE;
    }

    /// True if the body of a message that comes in parts stays in a file.
    ///
    /// @param head the message block up to the body
    public static boolean staysInFile(byte[] head) {
        return typeOf(head) == BodyType.BYTES;
    }

    /// A message that the broker keeps until it is acknowledged, and whose body came in parts. That
    /// of a BytesMessage stays in its file; any other is read into the heap.
    ///
    /// @param head the message block up to the body; kept, must not change
    /// @param body all of it, which belongs to the message from now on
    /// @throws IOException if the file cannot be read
    public static WinnowMessage stored(
            byte[] head, SpillFile body, MessageOrigin origin, long delivery, int deliveryCount)
            throws IOException {
        int length = Math.toIntExact(body.length());
        int bytes = head.length + length;
        WinnowMessage message;
        if (typeOf(head) == BodyType.BYTES) {
            message = new WinnowBytesMessage(head, body, origin, bytes, deliveryCount);
        } else {
            byte[] block = Arrays.copyOf(head, bytes);
            body.read(0, block, head.length, length);
            body.release();
            message = of(block, origin, bytes, deliveryCount);
        }
        message.deliveryId(delivery);
        return message;
    }

    /// A message that a browser shows without its body.
    ///
    /// @param head the message block up to the body; kept, must not change
    /// @param bodyBytes length of the body
    public static WinnowMessage shown(
            byte[] head, int bodyBytes, MessageOrigin origin, int deliveryCount) {
        WinnowMessage message = of(head, origin, head.length, deliveryCount);
        message.absentBytes(bodyBytes);
        return message;
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
