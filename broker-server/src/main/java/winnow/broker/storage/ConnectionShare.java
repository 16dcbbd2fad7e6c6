package winnow.broker.storage;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import winnow.broker.memory.OwnerShares;

/// One connection's part of [OwnerShares], where each message or command changes it: it is charged
/// there by the chunk, and the first few KiB not at all, because a connection takes about as much
/// anyway. Thread-safe.
public final class ConnectionShare {
    /// Bytes that are not charged.
    static final int UNCOUNTED_BYTES = 4 * 1024;

    private static final int CHUNK_BYTES = 16 * 1024;

    private final OwnerShares shares;
    private final Supplier<String> owner;
    private final AtomicLong bytes = new AtomicLong();

    /// Bytes that are charged. Written under the lock.
    private volatile long charged;

    /// Guarded by this.
    private boolean closed;

    /// @param owner whose connection it is, asked when something is charged
    public ConnectionShare(OwnerShares shares, Supplier<String> owner) {
        this.shares = shares;
        this.owner = owner;
    }

    /// Bytes that it has.
    public long bytes() {
        return bytes.get();
    }

    /// Takes room. It has nothing more before it is known that there is room: who gives something
    /// back meanwhile would keep what is charged for it.
    ///
    /// @return false if there is not so much; then nothing is taken
    public boolean take(long more) {
        long had = bytes.get();
        while (isCharged(had + more)) {
            if (bytes.compareAndSet(had, had + more)) {
                if (!isCharged(had + more)) {
                    // What was charged has been given back meanwhile.
                    chargeRest();
                }
                return true;
            }
            had = bytes.get();
        }
        synchronized (this) {
            long missing = chargeOf(bytes.get() + more) - charged;
            if (missing > 0 && !closed) {
                if (!shares.take(owner.get(), missing)) {
                    return false;
                }
                charged += missing;
            }
            bytes.addAndGet(more);
            // Others may have taken something of it meanwhile.
            chargeRest();
            return true;
        }
    }

    /// Takes room, whether there is any or not.
    public void add(long more) {
        if (!isCharged(bytes.addAndGet(more))) {
            chargeRest();
        }
    }

    private synchronized void chargeRest() {
        long missing = chargeOf(bytes.get()) - charged;
        if (missing > 0 && !closed) {
            shares.add(owner.get(), missing);
            charged += missing;
        }
    }

    /// True if so much more finds room.
    public boolean hasRoom(long more) {
        long wanted = bytes.get() + more;
        return isCharged(wanted) || shares.hasRoom(owner.get(), chargeOf(wanted) - charged);
    }

    /// Gives room back.
    ///
    /// @return whether others may have it now
    public boolean giveBack(long less) {
        long left = bytes.addAndGet(-less);
        if (chargeOf(left) > charged / 2 || charged == 0) {
            return false;
        }
        synchronized (this) {
            long unneeded = charged - chargeOf(bytes.get());
            if (unneeded <= 0 || closed) {
                return false;
            }
            shares.giveBack(owner.get(), unneeded);
            charged -= unneeded;
            // Who has taken something meanwhile may have seen what was charged before.
            chargeRest();
            return true;
        }
    }

    private boolean isCharged(long taken) {
        return taken <= charged + UNCOUNTED_BYTES;
    }

    private static long chargeOf(long taken) {
        long counted = Math.max(0, taken - UNCOUNTED_BYTES);
        return Math.ceilDiv(counted, CHUNK_BYTES) * CHUNK_BYTES;
    }

    /// The connection has gone: nothing of it is charged any more.
    ///
    /// @return whether others may have something now
    public synchronized boolean close() {
        boolean any = charged > 0;
        shares.giveBack(owner.get(), charged);
        charged = 0;
        closed = true;
        return any;
    }
}
