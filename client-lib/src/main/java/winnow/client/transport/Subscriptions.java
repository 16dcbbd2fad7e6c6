package winnow.client.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.WireException;

/// The delivery targets of one connection by subscription id. Targets are added and removed by
/// application threads under this object's lock; who reads the socket reads the current array.
final class Subscriptions {
    private volatile @Nullable Slot[] slots = new @Nullable Slot[8];

    /// Slots that got a delivery since the last [#onReadEnd]. Owned by who reads the socket.
    private final List<Slot> touched = new ArrayList<>();

    /// Gives the target an id that is not in use.
    ///
    /// @throws TransportException if the connection has as many subscriptions as it can have
    synchronized int add(DeliveryReceiver target) throws TransportException {
        @Nullable Slot[] current = slots;
        int id = 1;
        while (id < current.length && current[id] != null) {
            id++;
        }
        if (id > Protocol.MAX_ID) {
            throw new TransportException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "expected at most " + Protocol.MAX_ID + " consumers on one connection");
        }
        @Nullable Slot[] next =
                Arrays.copyOf(current, id < current.length ? current.length : id * 2);
        next[id] = new Slot(target);
        slots = next;
        return id;
    }

    /// True if there is none.
    boolean isEmpty() {
        for (Slot slot : slots) {
            if (slot != null) {
                return false;
            }
        }
        return true;
    }

    /// True if there is one only, and its target would read the socket.
    boolean hasOnlyAReader() {
        boolean found = false;
        for (Slot slot : slots) {
            if (slot != null) {
                if (found || !slot.target.isReader()) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }

    /// Tells the targets that they may read.
    void onLent() {
        for (Slot slot : slots) {
            if (slot != null) {
                slot.target.onLent();
            }
        }
    }

    /// Frees the id, if the target still has it: call it when no delivery can come any more.
    synchronized void remove(int id, DeliveryReceiver target) {
        Slot slot = slots[id];
        if (slot != null && slot.target.equals(target)) {
            @Nullable Slot[] next = slots.clone();
            next[id] = null;
            slots = next;
        }
    }

    /// Gives a delivery to its target. Event loop.
    ///
    /// @throws WireException if no subscription ever had the id
    void deliver(int id, byte[] block, int deliveryCount, int frameBytes) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onDelivery(block, deliveryCount, frameBytes);
        }
    }

    /// Gives a delivery of a session to its target. Event loop.
    ///
    /// @throws WireException if no consumer ever had the id
    void deliverStored(int id, byte[] block, long delivery, int earlierDeliveries) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onStoredDelivery(block, delivery, earlierDeliveries);
        }
    }

    /// Begins a delivery in parts. Event loop.
    ///
    /// @throws WireException if no consumer ever had the id
    void deliverInParts(int id, byte[] head, long delivery, int earlier, int bodyBytes) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onDeliveryInParts(head, delivery, earlier, bodyBytes);
        }
    }

    /// Tells the target of a message that was too long to be kept. Event loop.
    ///
    /// @param delivery of a session, 0 for a subscription without one
    /// @throws WireException if no consumer ever had the id
    void skip(int id, long delivery, int frameBytes) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onSkipped(delivery, frameBytes);
        }
    }

    /// Gives a part of a body to its target. Event loop.
    ///
    /// @throws WireException if no consumer ever had the id
    void deliverPart(int id, byte[] array, int start, int end) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onDeliveryPart(array, start, end);
        }
    }

    /// Ends a delivery in parts that does not become complete. Event loop.
    ///
    /// @throws WireException if no consumer ever had the id
    void cutDelivery(int id) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onDeliveryCut();
        }
    }

    /// Tells a consumer that another one waits. Event loop.
    ///
    /// @throws WireException if no consumer ever had the id
    void recall(int id) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onRecall();
        }
    }

    /// Tells a browser that it has got everything. Event loop.
    ///
    /// @throws WireException if no consumer ever had the id
    void endBrowse(int id) {
        DeliveryReceiver target = touch(id);
        if (target != null) {
            target.onBrowseEnd();
        }
    }

    /// The target of an id, which will be told when the read is over; null if it is gone.
    private @Nullable DeliveryReceiver touch(int id) {
        @Nullable Slot[] current = slots;
        if (id < 1 || id >= current.length) {
            throw new WireException(
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    "expected the id of a subscription, found " + id);
        }
        Slot slot = current[id];
        if (slot == null) {
            return null;
        }
        if (!slot.touched) {
            slot.touched = true;
            touched.add(slot);
        }
        return slot.target;
    }

    /// Tells the targets that got deliveries that the read is over. Event loop.
    void onReadEnd() {
        for (int i = 0; i < touched.size(); i++) {
            Slot slot = touched.get(i);
            slot.touched = false;
            slot.target.onBatchEnd();
        }
        touched.clear();
    }

    private static final class Slot {
        private final DeliveryReceiver target;
        private boolean touched;

        Slot(DeliveryReceiver target) {
            this.target = target;
        }
    }
}
