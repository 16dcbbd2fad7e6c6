package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import winnow.broker.memory.HeapPart;

/// Limits the deliveries that connections have and have not acknowledged, of which each takes
/// [HeapCost#DELIVERY]. A connection with too many gets no more until it has acknowledged an eighth
/// of them; if all together have too many, so do those that have more than their part of as many.
/// Owned by the shard.
final class DeliveryLimit {
    /// A connection may have so many, whatever the others have, if these are few.
    private static final int FEW = 1000;

    /// The same, however many others there are.
    private static final int LEAST = 16;

    private final int perShare;
    private final HeapPart heap;
    private final Set<DeliveryShare> waiting = new LinkedHashSet<>();
    private long count;

    /// True if one waits because all together have too many.
    private boolean full;

    /// Connections that have some.
    private int active;

    /// @param perShare of one connection
    /// @param heap of those of all connections
    DeliveryLimit(int perShare, HeapPart heap) {
        this.perShare = perShare;
        this.heap = heap;
    }

    /// Says why all may have less than follows from the settings, for people; empty if they may
    /// not.
    String shortage() {
        return heap.shortage();
    }

    /// Deliveries that all connections may have now.
    private long together() {
        return heap.availableBytes() / HeapCost.DELIVERY;
    }

    /// True if a consumer may get more; if not, it is told when it may.
    boolean hasRoom(DeliveryShare share, StoredConsumer consumer) {
        boolean someLeft = count < together();
        if (share.count < few() || (share.count < perShare && someLeft)) {
            return true;
        }
        full |= !someLeft;
        share.waiting.add(consumer);
        waiting.add(share);
        return false;
    }

    /// A connection may have so many, whatever the others have: all such parts are as many again as
    /// there may be.
    private long few() {
        return Math.clamp(together() / Math.max(1, active), LEAST, FEW);
    }

    /// @param places that it takes: a delivery of a group takes several
    void onDelivered(DeliveryShare share, int places) {
        if (share.count == 0) {
            active++;
        }
        share.count += places;
        count += places;
        heap.follow(count * HeapCost.DELIVERY);
    }

    /// A delivery has been acknowledged or has come back.
    ///
    /// @param resumed gets the consumers that may have more again
    void onEnded(DeliveryShare share, int places, Consumer<StoredConsumer> resumed) {
        share.count -= places;
        count -= places;
        heap.follow(count * HeapCost.DELIVERY);
        if (share.count == 0) {
            active--;
        }
        if (waiting.isEmpty()) {
            return;
        }
        if (!resumeAll(resumed) && waiting.contains(share)) {
            resume(share, resumed);
        }
    }

    /// Lets those go on that all together had too many for, if they have not any more. To be called
    /// now and then, too: other budgets may have given back what they had of the heap.
    ///
    /// @param resumed gets the consumers that may have more again
    boolean resumeAll(Consumer<StoredConsumer> resumed) {
        if (!full || count > less(together())) {
            return false;
        }
        full = false;
        List.copyOf(waiting).forEach(one -> resume(one, resumed));
        return true;
    }

    private void resume(DeliveryShare share, Consumer<StoredConsumer> resumed) {
        boolean hasRoom =
                share.count <= less(few())
                        || (share.count <= less(perShare) && count <= less(together()));
        if (hasRoom) {
            waiting.remove(share);
            List<StoredConsumer> resuming = List.copyOf(share.waiting);
            share.waiting.clear();
            resuming.forEach(resumed);
        }
    }

    private static long less(long limit) {
        return limit - limit / 8;
    }

    /// A consumer gets no more.
    void forget(DeliveryShare share, StoredConsumer consumer) {
        share.waiting.remove(consumer);
        if (share.waiting.isEmpty()) {
            waiting.remove(share);
        }
    }
}
