package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Consumers of a subscription that take the same messages: all of them, or those that a filter
/// lets through. Owned by the shard.
///
/// A lane with a filter keeps the sequences that its filter has let through, and those that it has
/// not seen yet: the backlog at its beginning, and what came back while it was not in memory. A
/// sequence that another lane has taken leaves when its turn comes. Both sets are charged to a
/// share of the memory for lanes. Without room it forgets them: all that is available from the
/// lowest of them on is unseen then, and is looked at again, a little at a time, when a consumer
/// wants more.
final class Lane {
    /// Without that, ten queues in a memory for five of them read each message 20 times; with it,
    /// less than twice.
    private static final int MISSES_WITHOUT_READING_AHEAD = 16;

    /// Heap that is charged with a consumer anyway.
    private static final int FREE_BYTES = 1024;

    /// Messages that are looked at together without room for more.
    private static final int FEW_LOOKED_AT = 128;

    /// Messages that are never forgotten, so that a consumer gets those that its filter has found.
    private static final int NEVER_FORGOTTEN = 2 * FEW_LOOKED_AT;

    private static final Roaring64Bitmap NOTHING = new Roaring64Bitmap();

    final StoredSubscription subscription;
    final @Nullable MessageFilter filter;
    private final Availability sequences;
    private final SequenceSet unseen;

    /// Everything available from this sequence on is unseen, and in neither set.
    private long unseenFrom = SequenceSet.NONE;

    private final @Nullable HeapShares<Lane> memory;

    /// Bytes that it has been charged for.
    private long chargedBytes;

    private final Deque<StoredConsumer> consumers = new ArrayDeque<>();
    final Groups groups = new Groups();
    boolean dispatching;
    boolean loading;

    /// Messages that were read for it and that it has not delivered.
    private int readAhead;

    /// Messages of the latest reading.
    private int lastRead;

    /// It reads nothing ahead until it has come to so many messages that are not in memory.
    private int missesLeft;

    /// The lowest sequence that the filter is looking at, [Long#MAX_VALUE] if it is at none.
    private long scanning = Long.MAX_VALUE;

    /// That of consumers without a filter.
    Lane(StoredSubscription subscription, Availability available) {
        this.subscription = subscription;
        this.filter = null;
        this.sequences = available;
        this.unseen = new SequenceSet();
        this.memory = null;
    }

    /// @param unseen what is available and has not been looked at
    /// @param memory for the sets of all lanes
    Lane(
            StoredSubscription subscription,
            MessageFilter filter,
            Roaring64Bitmap unseen,
            HeapShares<Lane> memory) {
        this.subscription = subscription;
        this.filter = filter;
        this.sequences = new Availability(subscription.destination().priorities());
        this.unseen = new SequenceSet(unseen);
        this.memory = memory;
        charge();
    }

    /// The sets may have become larger or smaller.
    private void charge() {
        HeapShares<Lane> shares = memory;
        if (shares == null) {
            return;
        }
        charge(shares);
        if (chargedBytes > 0
                && sequences.count() + unseen.count() > NEVER_FORGOTTEN
                && chargedBytes > shares.wholeShare(this)) {
            long first = unseen.isEmpty() ? SequenceSet.NONE : unseen.first();
            unseenFrom = Math.min(unseenFrom, Math.min(first, sequences.nextFrom(0)));
            forget();
        }
    }

    private void charge(HeapShares<Lane> shares) {
        long bytes = Math.max(0, sequences.heapBytes() + unseen.bitmapBytes() - FREE_BYTES);
        if (bytes != chargedBytes) {
            shares.add(this, bytes - chargedBytes);
            chargedBytes = bytes;
        }
    }

    /// Forgets its sets.
    void forget() {
        sequences.clear();
        unseen.clear();
        if (memory != null) {
            charge(memory);
        }
    }

    Deque<StoredConsumer> consumers() {
        return consumers;
    }

    /// A message has become available that is not in memory: its filter has to look at it.
    void onUnseen(long sequence) {
        if (sequence < unseenFrom) {
            unseen.add(sequence);
            charge();
        }
    }

    /// The same of several.
    void onUnseen(Roaring64Bitmap sequences) {
        if (unseenFrom == 0) {
            return;
        }
        Roaring64Bitmap below = sequences;
        if (unseenFrom != SequenceSet.NONE) {
            below = new Roaring64Bitmap();
            below.addRange(0, unseenFrom);
            below.and(sequences);
        }
        unseen.addAll(below);
        charge();
    }

    /// Its filter lets a message through.
    void onWanted(long sequence, int priority) {
        if (sequence < unseenFrom) {
            sequences.add(sequence, priority);
            charge();
        }
    }

    /// The message to be delivered next, -1 if there is none.
    long next() {
        long next = sequences.next();
        while (filter != null && next >= 0 && !subscription.isAvailable(next)) {
            sequences.remove(next);
            charge();
            next = sequences.next();
        }
        return next;
    }

    /// So many messages have been read for it.
    void onRead(int count) {
        readAhead += count;
        lastRead = count;
    }

    /// It has come to a message that is not in memory, and reads nothing. If it has not come to the
    /// end of what was read for it, memory is too small for all that lanes read.
    void onMiss() {
        if (readAhead > 0) {
            missesLeft = MISSES_WITHOUT_READING_AHEAD;
        } else if (missesLeft > 0) {
            missesLeft--;
        }
        readAhead = 0;
    }

    /// It has delivered a message that was in memory.
    ///
    /// @return whether the next messages should be read now, so that they are there when it has
    ///   delivered those that it has
    boolean onTakenFromMemory() {
        return readAhead > 0 && readAhead-- == lastRead && missesLeft == 0;
    }

    /// True if memory is large enough for what lanes read ahead, as far as this one can tell.
    boolean readsAhead() {
        return missesLeft == 0;
    }

    long[] upcoming(int limit) {
        return sequences.upcoming(limit);
    }

    /// The lowest sequences whose messages the filter has to look at.
    Roaring64Bitmap upcomingUnseen(int limit) {
        if (knowsLittle()) {
            return subscription.waiting().available().oldestFrom(unseenFrom, FEW_LOOKED_AT);
        }
        Roaring64Bitmap upcoming = new Roaring64Bitmap();
        LongIterator iterator = unseen.iterator();
        for (int i = 0; i < limit && iterator.hasNext(); i++) {
            upcoming.addLong(iterator.next());
        }
        return upcoming;
    }

    /// True if its [#upcomingUnseen] are in no set.
    boolean knowsLittle() {
        return unseen.isEmpty() && unseenFrom != SequenceSet.NONE;
    }

    /// Takes those out of `wanted` that the filter has not seen.
    ///
    /// @param neighbours whether these are all that are available from the first to the last
    Roaring64Bitmap takeUnseen(Roaring64Bitmap wanted, boolean neighbours) {
        if (neighbours && knowsLittle() && isNext(wanted) && next() < 0) {
            unseenFrom = wanted.last() + 1;
            return wanted;
        }
        if (unseen.isEmpty()) {
            return NOTHING;
        }
        Roaring64Bitmap taken = unseen.take(wanted);
        charge();
        return taken;
    }

    private boolean isNext(Roaring64Bitmap wanted) {
        return !wanted.isEmpty()
                && unseenFrom <= wanted.first()
                && subscription.waiting().available().nextFrom(unseenFrom) == wanted.first();
    }

    /// True if its filter has to look at messages now: where it knows little, only if it has
    /// nothing to deliver.
    boolean hasUnseen() {
        if (unseenFrom != SequenceSet.NONE
                && subscription.waiting().available().nextFrom(unseenFrom) == SequenceSet.NONE) {
            unseenFrom = SequenceSet.NONE;
        }
        return !unseen.isEmpty() || (unseenFrom != SequenceSet.NONE && next() < 0);
    }

    /// @param first the lowest sequence that the filter looks at
    void onScan(long first) {
        scanning = first;
    }

    void onScanned() {
        scanning = Long.MAX_VALUE;
    }

    /// True if an older message may turn out to be wanted.
    boolean mayHaveBefore(long sequence) {
        return scanning < sequence || (!unseen.isEmpty() && unseen.first() < sequence);
    }

    /// True if its next message is before what waits for one of its consumers alone.
    boolean isBefore(Availability parked) {
        return next() >= 0 && sequences.isBefore(parked);
    }

    /// A consumer that can have a message of its groups now.
    @Nullable StoredConsumer readyForParked() {
        for (StoredConsumer consumer : consumers) {
            if (consumer.parked().count() > 0 && consumer.ready()) {
                return consumer;
            }
        }
        return null;
    }

    /// The consumer whose turn it is, of those that have credit.
    @Nullable StoredConsumer nextReady() {
        for (int left = consumers.size(); left > 0; left--) {
            StoredConsumer consumer = consumers.getFirst();
            if (consumer.ready()) {
                return consumer;
            }
            onDelivered();
        }
        return null;
    }

    /// The consumer that may have the next message without credit, because of its priority.
    @Nullable StoredConsumer nextPassing() {
        int priority = next() < 0 ? 0 : sequences.nextPriority();
        for (int left = priority > 0 ? consumers.size() : 0; left > 0; left--) {
            StoredConsumer consumer = consumers.getFirst();
            if (consumer.mayPass(priority)) {
                return consumer;
            }
            onDelivered();
        }
        return null;
    }

    /// The consumer whose turn it was has got a message: it is the next one's.
    void onDelivered() {
        consumers.addLast(consumers.removeFirst());
    }

    boolean hasReadyConsumer() {
        for (StoredConsumer consumer : consumers) {
            if (consumer.ready()) {
                return true;
            }
        }
        return false;
    }
}
