package winnow.broker.session;

import java.util.ArrayDeque;
import java.util.Deque;
import winnow.broker.shard.InstanceKey;
import winnow.broker.shard.PublishedNumbers;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.frame.ControlFrame;

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

    /// Number of the message whose recipients are not all found, 0 if there is none.
    private long held;

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
    /// @param confirm whether the client waits for it
    /// @param again the number that it had on an earlier connection, 0 if it is new
    /// @return its number, 0 if it is not to be confirmed
    long count(boolean confirm, long again) {
        return confirm ? next(again) : 0;
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

    /// Confirmations from that number on wait until [#goOn]: recipients of the last message are not
    /// all found.
    ///
    /// @param number 0 if it is not to be confirmed
    void hold(long number) {
        numbers.pass(number);
        held = number;
    }

    /// The recipients are found.
    void goOn() {
        held = 0;
    }

    /// True if some wait.
    boolean waiting() {
        return held > 0 || !pending.isEmpty();
    }

    /// Nobody waits for confirmations any more.
    void close() {
        numbers.close(handled);
        pending.clear();
        held = 0;
    }

    /// Confirms what came since the last call, up to the first message that is not done.
    void confirm() {
        while (!pending.isEmpty() && pending.getFirst().done()) {
            pending.removeFirst();
        }
        long ready = pending.isEmpty() ? last : pending.getFirst().number() - 1;
        if (held > 0) {
            ready = Math.min(ready, held - 1);
        }
        if (ready > confirmed) {
            if (ready - confirmed == 1) {
                output.loop().onAnswered();
            }
            confirmed = ready;
            output.write(new ControlFrame.Published(confirmed));
        }
    }
}
