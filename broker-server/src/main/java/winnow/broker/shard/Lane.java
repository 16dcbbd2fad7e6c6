package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Consumers of a subscription that take the same messages: all of them, or those that a filter
/// lets through. Owned by the shard.
///
/// A lane with a filter keeps the sequences that its filter has let through, and those that it has
/// not seen yet: the backlog at its beginning, and what came back while it was not in memory. A
/// sequence that another lane has taken leaves when its turn comes.
final class Lane {
    final StoredSubscription subscription;
    final @Nullable MessageFilter filter;
    private final Availability sequences;
    private final Roaring64Bitmap unseen;
    private final Deque<StoredConsumer> consumers = new ArrayDeque<>();
    boolean dispatching;
    boolean loading;

    /// The lowest sequence that the filter is looking at, [Long#MAX_VALUE] if it is at none.
    private long scanning = Long.MAX_VALUE;

    /// That of consumers without a filter.
    Lane(StoredSubscription subscription, Availability available) {
        this.subscription = subscription;
        this.filter = null;
        this.sequences = available;
        this.unseen = new Roaring64Bitmap();
    }

    /// @param unseen what is available and has not been looked at
    Lane(StoredSubscription subscription, MessageFilter filter, Roaring64Bitmap unseen) {
        this.subscription = subscription;
        this.filter = filter;
        this.sequences = new Availability();
        this.unseen = unseen;
    }

    Deque<StoredConsumer> consumers() {
        return consumers;
    }

    /// A message has become available.
    ///
    /// @param head null if it is not in memory
    /// @return whether this lane may have something to do
    boolean onAvailable(long sequence, int priority, byte @Nullable [] head) {
        if (filter == null) {
            return true;
        }
        if (head == null) {
            unseen.addLong(sequence);
            return true;
        }
        boolean wanted = filter.matches(head);
        if (wanted) {
            sequences.add(sequence, priority);
        }
        return wanted;
    }

    /// The message to be delivered next, -1 if there is none.
    long next() {
        long next = sequences.next();
        while (filter != null && next >= 0 && !subscription.isAvailable(next)) {
            sequences.remove(next);
            next = sequences.next();
        }
        return next;
    }

    long[] upcoming(int limit) {
        return sequences.upcoming(limit);
    }

    /// Sequences whose messages the filter has to look at; they are taken out.
    long[] takeUnseen(int limit) {
        long[] taken = new long[limit];
        int count = 0;
        LongIterator iterator = unseen.getLongIterator();
        Roaring64Bitmap passed = new Roaring64Bitmap();
        while (count < limit && iterator.hasNext()) {
            long sequence = iterator.next();
            passed.addLong(sequence);
            if (subscription.isAvailable(sequence)) {
                taken[count++] = sequence;
            }
        }
        unseen.andNot(passed);
        return Arrays.copyOf(taken, count);
    }

    boolean hasUnseen() {
        return !unseen.isEmpty();
    }

    boolean scanning() {
        return scanning != Long.MAX_VALUE;
    }

    /// @param first the lowest sequence that the filter looks at
    void onScan(long first) {
        scanning = first;
    }

    void onScanned() {
        scanning = Long.MAX_VALUE;
    }

    /// Whether an older message may turn out to be wanted.
    boolean mayHaveBefore(long sequence) {
        return scanning < sequence || (!unseen.isEmpty() && unseen.first() < sequence);
    }

    /// The consumer whose turn it is, of those that have credit.
    @Nullable StoredConsumer nextReady() {
        for (int left = consumers.size(); left > 0; left--) {
            StoredConsumer consumer = consumers.removeFirst();
            consumers.addLast(consumer);
            if (consumer.ready()) {
                return consumer;
            }
        }
        return null;
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
