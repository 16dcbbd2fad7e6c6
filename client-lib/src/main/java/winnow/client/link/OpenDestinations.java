package winnow.client.link;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.TransportException;

/// Destinations that one connection has open for publishing, each shared by all its producers. A
/// destination that no producer uses stays open, because a producer without a destination of its
/// own comes back to it; the longest unused are given back above [#MAX_UNUSED]. Thread-safe.
public final class OpenDestinations {
    static final int MAX_UNUSED = 256;

    private final WireConnection wire;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<WinnowDestination, Entry> entries = new LinkedHashMap<>();
    private int unused;

    OpenDestinations(WireConnection wire) {
        this.wire = wire;
    }

    /// The handle of a destination, opened if it is not; give it back with [#release]. Who waits
    /// for the broker to open one keeps nobody from others.
    ///
    /// @throws TransportException if the broker refuses
    public PublishHandle acquire(WinnowDestination destination) throws TransportException {
        Entry entry = use(destination);
        boolean open = false;
        try {
            PublishHandle handle = entry.open(wire, destination);
            open = true;
            return handle;
        } finally {
            if (!open) {
                release(destination);
            }
        }
    }

    private Entry use(WinnowDestination destination) {
        lock.lock();
        try {
            Entry entry = entries.remove(destination);
            if (entry == null) {
                entry = new Entry();
            } else if (entry.users == 0) {
                unused--;
            }
            entry.users++;
            entries.put(destination, entry);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    public void release(WinnowDestination destination) {
        lock.lock();
        try {
            Entry entry = entries.get(destination);
            if (entry != null && --entry.users == 0) {
                if (entry.handle == null) {
                    entries.remove(destination);
                } else {
                    unused++;
                    limitUnused();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void limitUnused() {
        Iterator<Entry> eldestFirst = entries.values().iterator();
        while (unused > MAX_UNUSED && eldestFirst.hasNext()) {
            Entry entry = eldestFirst.next();
            PublishHandle handle = entry.handle;
            if (entry.users == 0 && handle != null) {
                eldestFirst.remove();
                unused--;
                wire.release(handle);
            }
        }
    }

    /// Its users are guarded by the lock of [OpenDestinations]. The handle, null until it is open,
    /// is guarded by the entry's own while there are users, which all leave under the other.
    private static final class Entry {
        private final ReentrantLock opening = new ReentrantLock();
        private @Nullable PublishHandle handle;
        private int users;

        PublishHandle open(WireConnection wire, WinnowDestination destination)
                throws TransportException {
            opening.lock();
            try {
                PublishHandle opened = handle;
                if (opened == null) {
                    opened = wire.open(destination.kind(), destination.name());
                    handle = opened;
                }
                return opened;
            } finally {
                opening.unlock();
            }
        }
    }
}
