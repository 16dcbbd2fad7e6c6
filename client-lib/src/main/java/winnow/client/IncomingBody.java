package winnow.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import winnow.client.message.MessageOrigin;
import winnow.client.message.ReceivedMessages;
import winnow.client.message.SpillFile;
import winnow.client.message.SpillSpace;
import winnow.client.message.WinnowMessage;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// The message in parts that a consumer is getting: its body goes to a file as it comes. Owned by
/// who reads the socket.
final class IncomingBody {
    private final SpillSpace space;
    private final MessageOrigin origin;
    private byte[] head = {};
    private long delivery;
    private int earlierDeliveries;
    private int missing;
    private @Nullable SpillFile body;

    IncomingBody(SpillSpace space, MessageOrigin origin) {
        this.space = space;
        this.origin = origin;
    }

    /// A message begins; one that is not complete is forgotten.
    void begin(byte[] newHead, long newDelivery, int newEarlierDeliveries, int bodyBytes) {
        forget();
        head = newHead;
        delivery = newDelivery;
        earlierDeliveries = newEarlierDeliveries;
        missing = bodyBytes;
        try {
            body = space.newFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The next bytes.
    ///
    /// @return the message if it is complete, otherwise null
    /// @throws UncheckedIOException if there is no room for them
    @Nullable WinnowMessage add(byte[] array, int start, int end) {
        SpillFile file = body;
        if (file == null || end - start > missing) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "DeliveryPart: expected at most "
                            + missing
                            + " bytes of a message in parts, found "
                            + (end - start));
        }
        try {
            file.append(array, start, end - start);
            missing -= end - start;
            if (missing > 0) {
                return null;
            }
            body = null;
            return ReceivedMessages.stored(head, file, origin, delivery, earlierDeliveries + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The rest does not come.
    void forget() {
        SpillFile file = body;
        if (file != null) {
            file.release();
            body = null;
        }
    }
}
