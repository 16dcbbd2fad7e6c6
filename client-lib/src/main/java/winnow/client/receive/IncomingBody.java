package winnow.client.receive;

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
    private @Nullable MessageOrigin origin;
    private byte[] head = {};
    private long delivery;
    private int earlierDeliveries;
    private int bodyBytes;
    private int missing;
    private @Nullable SpillFile body;

    /// True if what is missing is dropped as it comes.
    private boolean dropping;

    IncomingBody(SpillSpace space) {
        this.space = space;
    }

    /// A message begins; one that is not complete is forgotten.
    void begin(
            MessageOrigin newOrigin,
            byte[] newHead,
            long newDelivery,
            int newEarlierDeliveries,
            int newBodyBytes) {
        forget();
        origin = newOrigin;
        head = newHead;
        delivery = newDelivery;
        earlierDeliveries = newEarlierDeliveries;
        bodyBytes = newBodyBytes;
        missing = newBodyBytes;
        try {
            body = space.newFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A message begins that is not kept, though its parts come.
    void drop(int newBodyBytes) {
        forget();
        missing = newBodyBytes;
        dropping = true;
    }

    /// The message that is coming is not kept.
    ///
    /// @return the credit that it has cost, if it is one of a subscription without a session, of
    ///   which the rest comes nevertheless; otherwise 0
    int giveUp() {
        if (delivery == 0) {
            drop(missing);
            return head.length + bodyBytes;
        }
        forget();
        return 0;
    }

    /// The next bytes.
    ///
    /// @return the message if it is complete, otherwise null
    /// @throws UncheckedIOException if there is no room for them
    @Nullable WinnowMessage add(byte[] array, int start, int end) {
        SpillFile file = body;
        MessageOrigin from = origin;
        if (dropping && end - start <= missing) {
            missing -= end - start;
            dropping = missing > 0;
            return null;
        }
        if (file == null || from == null || end - start > missing) {
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
            return ReceivedMessages.stored(head, file, from, delivery, earlierDeliveries + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The rest does not come.
    void forget() {
        dropping = false;
        SpillFile file = body;
        if (file != null) {
            file.release();
            body = null;
        }
    }
}
