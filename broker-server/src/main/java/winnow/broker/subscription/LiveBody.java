package winnow.broker.subscription;

import java.util.concurrent.atomic.AtomicInteger;

/// The body of a message in parts that live subscriptions get: it stays in the storage as long as
/// somebody refers to it. Thread-safe.
public abstract class LiveBody {
    private final int bytes;

    /// Number of references; the maker has the first one.
    private final AtomicInteger references = new AtomicInteger(1);

    /// @param bytes how long it is
    protected LiveBody(int bytes) {
        this.bytes = bytes;
    }

    /// Bytes of it.
    public final int bytes() {
        return bytes;
    }

    /// One more refers to it.
    public final void retain() {
        references.incrementAndGet();
    }

    /// One less refers to it.
    public final void release() {
        if (references.decrementAndGet() == 0) {
            onUnneeded();
        }
    }

    /// Nobody refers to it any more. Any thread.
    protected abstract void onUnneeded();
}
