package winnow.broker.session;

import java.util.ArrayDeque;
import java.util.Deque;
import winnow.broker.shard.InstanceKey;
import winnow.broker.shard.PublishedNumbers;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.Publish;
import winnow.wire.WireException;

/// Tells a client up to which message everything that it published has been handed over or stored.
/// Owned by the connection's event loop.
final class Confirmations {
    private final Output output;
    private final PublishNumbers numbers;
    private long last;
    private long confirmed;

    /// Up to which number it is settled what becomes of each: a fault in between takes nothing.
    private long handled;

    /// Highest number that was given on earlier connections of the client.
    private long before;

    /// Messages that have come and are not to be confirmed yet, in their order.
    private final Deque<PendingPublish> pending = new ArrayDeque<>();

    /// @param numbers learns which numbers were taken
    Confirmations(Output output, PublishNumbers numbers) {
        this.output = output;
        this.numbers = numbers;
    }

    /// Goes on with the numbers of earlier connections of the client.
    ///
    /// @param lastNumber highest one of these
    /// @param taken what was taken of these
    void resume(InstanceKey key, long lastNumber, PublishedNumbers taken) {
        before = lastNumber;
        numbers.resume(key, lastNumber, taken);
    }

    /// Tells the storage which numbers were taken.
    PublishNumbers numbers() {
        return numbers;
    }

    /// A message has come, if it is in parts whole.
    ///
    /// @param again the number that it had on an earlier connection, 0 if it is new
    /// @return its number, 0 if it is not to be confirmed
    long count(int flags, long again) {
        if (again != 0 && (flags & Publish.TRANSACTED) != 0) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "a publish that is sent again: expected none in a transaction");
        }
        return (flags & Publish.CONFIRM) != 0 ? next(again) : 0;
    }

    /// One more message that is to be confirmed has come.
    ///
    /// @param again the number that it had on an earlier connection, 0 if it is new
    /// @return its number
    private long next(long again) {
        if (again == 0) {
            last = Math.max(last, before) + 1;
        } else if (again <= last || again > before) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "a publish that is sent again: expected a number above %d and at most %d, found"
                                    .formatted(last, before)
                            + " "
                            + again);
        } else {
            last = again;
        }
        return last;
    }

    /// Number of the last message that is to be confirmed.
    long last() {
        return last;
    }

    /// Notes that all that has come was handed over, is on its way to the storage, or was refused.
    void onHandled() {
        handled = last;
    }

    /// Confirmations from that number on wait for a message.
    void await(PendingPublish publish) {
        pending.add(publish);
    }

    /// Whether some wait.
    boolean waiting() {
        return !pending.isEmpty();
    }

    /// Nobody waits for confirmations any more.
    void close() {
        numbers.close(handled);
        pending.clear();
    }

    /// Confirms what came since the last call, up to the first message that is not done.
    void confirm() {
        while (!pending.isEmpty() && pending.getFirst().done()) {
            pending.removeFirst();
        }
        long ready = pending.isEmpty() ? last : pending.getFirst().number() - 1;
        if (ready > confirmed) {
            if (ready - confirmed == 1) {
                output.loop().onAnswered();
            }
            confirmed = ready;
            output.write(new ControlFrame.Published(confirmed));
        }
    }
}
