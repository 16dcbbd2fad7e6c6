package winnow.broker.transport.tls;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Limits how many TLS handshakes may be under way at a time: each holds memory before anything is
/// known of the client. Who finds no slot waits; how long is bounded by the connection's deadline.
/// No address has more than half of the slots, and those that wait take turns: somebody who begins
/// handshakes and does not go on with them keeps nobody else out. Thread-safe: by its own lock.
public final class HandshakeSlots {
    private final int max;
    private final int maxOfAddress;

    /// By address; the one whose turn is next comes first. No queue is empty.
    private final Map<String, ArrayDeque<Slot>> waiting = new LinkedHashMap<>();

    /// By address.
    private final Map<String, Integer> usedOf = new HashMap<>();

    private int used;

    HandshakeSlots(int max) {
        this.max = max;
        this.maxOfAddress = (max + 1) / 2;
    }

    /// A handshake's place.
    public static final class Slot {
        private final String address;
        private final Runnable onGranted;
        private boolean granted;
        private boolean ended;

        Slot(String address, Runnable onGranted) {
            this.address = address;
            this.onGranted = onGranted;
        }
    }

    /// Grants the slot at once or later.
    ///
    /// @param address of the client, without its port
    /// @param onGranted called on any thread; not after [#end]
    public Slot take(String address, Runnable onGranted) {
        Slot slot = new Slot(address, onGranted);
        synchronized (this) {
            if (!hasRoom(address)) {
                waiting.computeIfAbsent(address, _ -> new ArrayDeque<>()).add(slot);
                return slot;
            }
            grant(slot);
        }
        onGranted.run();
        return slot;
    }

    private boolean hasRoom(String address) {
        return used < max && usedOf.getOrDefault(address, 0) < maxOfAddress;
    }

    private void grant(Slot slot) {
        slot.granted = true;
        used++;
        usedOf.merge(slot.address, 1, Integer::sum);
    }

    /// The handshake is over, or its connection. May be called more than once.
    public void end(Slot slot) {
        Slot next;
        synchronized (this) {
            if (slot.ended) {
                return;
            }
            slot.ended = true;
            if (!slot.granted) {
                forget(slot);
                return;
            }
            used--;
            usedOf.computeIfPresent(slot.address, (_, count) -> count == 1 ? null : count - 1);
            next = grantNext();
        }
        if (next != null) {
            next.onGranted.run();
        }
    }

    private void forget(Slot slot) {
        ArrayDeque<Slot> queue = waiting.get(slot.address);
        if (queue != null && queue.remove(slot) && queue.isEmpty()) {
            waiting.remove(slot.address);
        }
    }

    /// At most two addresses have all that they may have, so this takes no long search.
    private @Nullable Slot grantNext() {
        Iterator<Map.Entry<String, ArrayDeque<Slot>>> turns = waiting.entrySet().iterator();
        while (turns.hasNext()) {
            Map.Entry<String, ArrayDeque<Slot>> turn = turns.next();
            if (hasRoom(turn.getKey())) {
                String address = turn.getKey();
                ArrayDeque<Slot> queue = turn.getValue();
                Slot next = queue.remove();
                turns.remove();
                if (!queue.isEmpty()) {
                    waiting.put(address, queue);
                }
                grant(next);
                return next;
            }
        }
        return null;
    }

    /// Handshakes under way.
    synchronized int used() {
        return used;
    }
}
