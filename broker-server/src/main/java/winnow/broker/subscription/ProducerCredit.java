package winnow.broker.subscription;

import java.util.concurrent.atomic.AtomicLong;

/// The credit that all producers together may have: what they send with it may have to wait,
/// however much waits already. Each destination that is open for publishing has a window of it. The
/// less is left, the smaller new windows are, but none is smaller than [#MIN_WINDOW_BYTES].
/// Thread-safe.
public final class ProducerCredit {
    /// The smallest window.
    public static final int MIN_WINDOW_BYTES = 4 * 1024;

    /// Part of what is left that one window may take.
    private static final int WINDOW_PART = 4;

    private final AtomicLong windowBytes = new AtomicLong();
    private final AtomicLong overdrawnBytes = new AtomicLong();
    private final long limitBytes;

    ProducerCredit(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Takes a window, or makes one larger if that is possible.
    ///
    /// @param window bytes that it has already
    /// @param wanted bytes that it shall have
    /// @return bytes that it has now
    public int take(int window, int wanted) {
        while (window < wanted) {
            long all = windowBytes.get();
            long share = (limitBytes - all) / WINDOW_PART;
            int least = Math.min(wanted, Math.max(window, MIN_WINDOW_BYTES));
            int size = Math.clamp(share, least, wanted);
            if (windowBytes.compareAndSet(all, all + size - window)) {
                return size;
            }
        }
        return window;
    }

    /// Takes memory for a message that goes beyond its producer's credit, until the storage has it.
    ///
    /// @return false if others have taken so much that there is none
    public boolean overdraw(int bytes) {
        long before = overdrawnBytes.getAndAdd(bytes);
        if (before > 0 && before + bytes > limitBytes) {
            overdrawnBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /// Gives what [#overdraw] has taken back.
    public void settle(int bytes) {
        overdrawnBytes.addAndGet(-bytes);
    }

    /// Gives a window back.
    public void give(int window) {
        windowBytes.addAndGet(-window);
    }

    /// Bytes of all windows.
    public long windowBytes() {
        return windowBytes.get();
    }
}
