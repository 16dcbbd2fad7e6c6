package winnow.broker.transport;

import java.util.ArrayDeque;

/// How many TLS handshakes may be under way at a time: each holds memory before anything is known
/// of the client. Who finds no slot waits in order; how long is bounded by the connection's
/// deadline. Thread-safe: by its own lock.
final class HandshakeSlots {
    private final int max;
    private final ArrayDeque<Slot> waiting = new ArrayDeque<>();
    private int used;

    HandshakeSlots(int max) {
        this.max = max;
    }

    /// A handshake's place.
    static final class Slot {
        private final Runnable onGranted;
        private boolean granted;
        private boolean ended;

        Slot(Runnable onGranted) {
            this.onGranted = onGranted;
        }
    }

    /// Grants the slot at once or later.
    ///
    /// @param onGranted called on any thread; not after [#end]
    Slot take(Runnable onGranted) {
        Slot slot = new Slot(onGranted);
        synchronized (this) {
            if (used == max) {
                waiting.add(slot);
                return slot;
            }
            used++;
            slot.granted = true;
        }
        onGranted.run();
        return slot;
    }

    /// The handshake is over, or its connection. May be called more than once.
    void end(Slot slot) {
        Slot next = null;
        synchronized (this) {
            if (slot.ended) {
                return;
            }
            slot.ended = true;
            if (!slot.granted) {
                waiting.remove(slot);
                return;
            }
            next = waiting.poll();
            if (next == null) {
                used--;
            } else {
                next.granted = true;
            }
        }
        if (next != null) {
            next.onGranted.run();
        }
    }

    /// Handshakes under way.
    synchronized int used() {
        return used;
    }
}
