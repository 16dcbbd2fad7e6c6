package winnow.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import winnow.client.destination.WinnowDestination;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireConnection;

/// Destinations that one connection has open for publishing, each shared by all its producers. A
/// destination that no producer uses stays open, because a producer without a destination of its
/// own comes back to it; the longest unused are given back above [#MAX_UNUSED]. Thread-safe.
final class OpenDestinations {
    static final int MAX_UNUSED = 256;

    private final WireConnection wire;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<WinnowDestination, Entry> entries = new LinkedHashMap<>();
    private int unused;

    OpenDestinations(WireConnection wire) {
        this.wire = wire;
    }

    /// The handle of a destination, opened if it is not; give it back with [#release].
    ///
    /// @throws TransportException if the broker refuses
    PublishHandle acquire(WinnowDestination destination) throws TransportException {
        lock.lock();
        try {
            Entry entry = entries.remove(destination);
            if (entry == null) {
                entry = new Entry(wire.open(destination.kind(), destination.name()));
            } else if (entry.users == 0) {
                unused--;
            }
            entry.users++;
            entries.put(destination, entry);
            return entry.handle;
        } finally {
            lock.unlock();
        }
    }

    void release(WinnowDestination destination) {
        lock.lock();
        try {
            Entry entry = entries.get(destination);
            if (entry != null) {
                entry.users--;
                if (entry.users == 0) {
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
            if (entry.users == 0) {
                eldestFirst.remove();
                unused--;
                wire.release(entry.handle);
            }
        }
    }

    private static final class Entry {
        private final PublishHandle handle;
        private int users;

        Entry(PublishHandle handle) {
            this.handle = handle;
        }
    }
}
