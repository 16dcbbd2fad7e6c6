package winnow.broker.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// The lanes of a subscription: that of consumers without a filter, and one for each filter. Owned
/// by the shard.
final class Lanes {
    private final StoredSubscription subscription;
    private final Availability available;
    private final Lane all;
    private final Map<MessageFilter, Lane> filtered = new LinkedHashMap<>();
    private @Nullable LaneIndex index;

    /// True if filters are looking at messages that are being read.
    private boolean scanning;

    Lanes(StoredSubscription subscription, Availability available) {
        this.subscription = subscription;
        this.available = available;
        this.all = new Lane(subscription, available);
    }

    /// All lanes.
    List<Lane> list() {
        List<Lane> lanes = new ArrayList<>(filtered.values());
        lanes.add(all);
        return lanes;
    }

    int consumers() {
        int consumers = all.consumers().size();
        for (Lane lane : filtered.values()) {
            consumers += lane.consumers().size();
        }
        return consumers;
    }

    boolean hasReadyConsumer() {
        return all.hasReadyConsumer()
                || filtered.values().stream().anyMatch(Lane::hasReadyConsumer);
    }

    /// The lane of consumers with that filter.
    ///
    /// @param memory for what lanes know of their messages
    Lane lane(@Nullable MessageFilter filter, LaneIndexes indexes, HeapShares<Lane> memory) {
        if (filter == null) {
            return all;
        }
        Lane found = filtered.get(filter);
        if (found != null) {
            return found;
        }
        LaneIndex used = index;
        if (used == null) {
            used = indexes.create();
            index = used;
        }
        used.add(filter);
        Lane made = new Lane(subscription, filter, available.all(), memory);
        filtered.put(filter, made);
        return made;
    }

    /// A consumer has gone; its lane may have become useless.
    void onDetached(Lane lane) {
        LaneIndex used = index;
        if (lane.filter != null
                && used != null
                && lane.consumers().isEmpty()
                && filtered.remove(lane.filter, lane)) {
            used.remove(lane.filter);
            lane.forget();
        }
    }

    /// A message may be delivered.
    ///
    /// @param head its block, at least up to the body; null if it is not in memory
    /// @param affected gets the lanes that may have something to do
    void onAvailable(long sequence, int priority, byte @Nullable [] head, Consumer<Lane> affected) {
        affected.accept(all);
        if (head == null) {
            for (Lane lane : filtered.values()) {
                lane.onUnseen(sequence);
                affected.accept(lane);
            }
        } else {
            match(
                    head,
                    lane -> {
                        lane.onWanted(sequence, priority);
                        affected.accept(lane);
                    });
        }
    }

    /// Messages that waited for their groups may be delivered. All filters look at them again, some
    /// at a time.
    ///
    /// @param affected gets the lanes that may have something to do
    void onUnparked(Roaring64Bitmap sequences, Consumer<Lane> affected) {
        affected.accept(all);
        for (Lane lane : filtered.values()) {
            lane.onUnseen(sequences);
            affected.accept(lane);
        }
    }

    private void match(byte[] head, Consumer<Lane> wanting) {
        LaneIndex used = index;
        if (used != null && !filtered.isEmpty()) {
            used.match(
                    head,
                    filter -> {
                        Lane lane = filtered.get(filter);
                        if (lane != null) {
                            wanting.accept(lane);
                        }
                    });
        }
    }

    boolean scanning() {
        return scanning;
    }

    /// Begins to look at messages that a lane has not seen, for all lanes that have not: a head is
    /// read once for all of them.
    ///
    /// @param limit so many at most
    Scan scan(Lane first, int limit) {
        scanning = true;
        boolean neighbours = first.knowsLittle();
        Roaring64Bitmap taken = first.upcomingUnseen(limit);
        Scan scan = new Scan(taken);
        for (Lane lane : filtered.values()) {
            Roaring64Bitmap share = lane.takeUnseen(taken, neighbours);
            if (!share.isEmpty()) {
                scan.shares.put(lane, share);
                lane.onScan(share.first());
            }
        }
        return scan;
    }

    /// Messages that the filters of some lanes look at together.
    final class Scan {
        final long[] sequences;
        private final Map<Lane, Roaring64Bitmap> shares = new LinkedHashMap<>();

        private Scan(Roaring64Bitmap taken) {
            sequences = Arrays.stream(taken.toArray()).filter(subscription::isAvailable).toArray();
        }

        /// The head of a message is there.
        void onHead(long sequence, int priority, byte[] head) {
            match(
                    head,
                    lane -> {
                        Roaring64Bitmap share = shares.get(lane);
                        if (share != null && share.contains(sequence)) {
                            lane.onWanted(sequence, priority);
                        }
                    });
        }

        /// All that can be read has been.
        ///
        /// @param affected gets the lanes that may have something to do
        void end(Consumer<Lane> affected) {
            scanning = false;
            for (Lane lane : shares.keySet()) {
                lane.onScanned();
                affected.accept(lane);
            }
        }
    }
}
