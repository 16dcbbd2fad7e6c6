package winnow.broker.session;

import java.util.ArrayDeque;
import java.util.Deque;
import winnow.wire.ControlFrame;

/// Tells a client up to which message everything that it published has been handed over or stored.
/// Owned by the connection's event loop.
final class Confirmations {
    private final Output output;
    private long last;
    private long confirmed;

    /// Messages that have come and are not to be confirmed yet, in their order.
    private final Deque<PendingPublish> pending = new ArrayDeque<>();

    Confirmations(Output output) {
        this.output = output;
    }

    /// One more message that is to be confirmed has come.
    ///
    /// @return its number
    long next() {
        return ++last;
    }

    /// Number of the last message that is to be confirmed.
    long last() {
        return last;
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
    void clear() {
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
