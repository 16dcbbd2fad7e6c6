package winnow.client.receive;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;

/// The credit of one subscription whose messages the broker does not keep, over all connections:
/// what has come on one and was not consumed when it was lost takes its place in the window on the
/// next. Thread-safe.
public final class LiveCredit {
    private final PrefetchWindow window;

    /// Held while a grant is written, so that none goes to a subscription that is replaced.
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable WireSubscription subscription;

    /// Granted in all, the window included, over all connections.
    private long messages;

    private long bytes;

    /// Come on earlier connections.
    private Total before = new Total(0, 0);

    /// Granted on this connection.
    private long toldMessages;

    private long toldBytes;

    public LiveCredit(PrefetchWindow window) {
        this.window = window;
    }

    /// Messages, and bytes of their frames.
    record Total(long messages, long bytes) {}

    /// Asks the broker for a subscription.
    @FunctionalInterface
    public interface Asking {
        WireSubscription with(int messages, int bytes) throws TransportException;
    }

    /// Begins on another connection.
    ///
    /// @param come all that has come so far
    public WireSubscription begin(Total come, Asking asking) throws TransportException {
        lock.lock();
        try {
            if (subscription == null) {
                messages = window.messages();
                bytes = window.bytes();
            }
            before = come;
            toldMessages = Math.max(0, messages - before.messages());
            toldBytes = Math.max(0, bytes - before.bytes());
            WireSubscription begun = asking.with((int) toldMessages, (int) toldBytes);
            subscription = begun;
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /// Lets the broker send more. What came on earlier connections beyond the credit is paid first.
    public void grant(int moreMessages, int moreBytes) {
        lock.lock();
        try {
            messages += moreMessages;
            bytes += moreBytes;
            long dueMessages = Math.max(0, messages - before.messages()) - toldMessages;
            long dueBytes = Math.max(0, bytes - before.bytes()) - toldBytes;
            toldMessages += dueMessages;
            toldBytes += dueBytes;
            if (subscription != null && (dueMessages > 0 || dueBytes > 0)) {
                subscription.grant((int) dueMessages, (int) dueBytes);
            }
        } finally {
            lock.unlock();
        }
    }
}
