package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;
import winnow.store.LogException;

/// Brings messages to consumers that have credit, in turn; what is not in memory is read first,
/// many at a time. Owned by its shard.
final class Dispatcher {
    /// Messages that are read together: a batch of 256 messages of 1 KiB takes a read of 256 KiB.
    private static final int READ_TOGETHER = 256;

    /// Deliveries of one subscription before the next has its turn.
    private static final int TURN = 256;

    private final Shard shard;
    private final MessageReader reader;
    private final Deque<StoredSubscription> waiting = new ArrayDeque<>();

    Dispatcher(Shard shard, MessageReader reader) {
        this.shard = shard;
        this.reader = reader;
    }

    /// Something has changed for a subscription that may let it deliver.
    void add(StoredSubscription subscription) {
        if (!subscription.dispatching) {
            subscription.dispatching = true;
            waiting.add(subscription);
        }
    }

    /// Delivers what can be delivered now.
    void run() {
        while (!waiting.isEmpty()) {
            StoredSubscription subscription = waiting.removeFirst();
            subscription.dispatching = false;
            for (int i = 0; i < TURN && deliverNext(subscription); i++) {
                if (i == TURN - 1) {
                    add(subscription);
                }
            }
        }
    }

    /// @return whether there may be more to do
    private boolean deliverNext(StoredSubscription subscription) {
        if (subscription.loading || subscription.availableMessages() == 0) {
            return false;
        }
        StoredConsumer consumer = nextReady(subscription);
        if (consumer == null) {
            return false;
        }
        long sequence = subscription.next();
        StoredMessage message = subscription.destination().inWindow(sequence);
        if (message == null) {
            load(subscription);
            return false;
        }
        if (message.headers.expired(shard.nowMillis())) {
            subscription.take(sequence, message.headers.priority());
            shard.end(subscription, sequence, message.block.length);
            return true;
        }
        if (message.stored && !subscription.progress().mayDeliver(sequence)) {
            // The completion of the note comes back here.
            shard.journal().announce(subscription, sequence);
            return false;
        }
        subscription.take(sequence, message.headers.priority());
        consumer.deliver(message, subscription.earlierDeliveries(sequence));
        return true;
    }

    /// The consumer whose turn it is, of those that have credit.
    private static @Nullable StoredConsumer nextReady(StoredSubscription subscription) {
        Deque<StoredConsumer> consumers = subscription.consumers();
        for (int left = consumers.size(); left > 0; left--) {
            StoredConsumer consumer = consumers.removeFirst();
            consumers.addLast(consumer);
            if (consumer.ready()) {
                return consumer;
            }
        }
        return null;
    }

    private void load(StoredSubscription subscription) {
        subscription.loading = true;
        long[] sequences = subscription.upcoming(READ_TOGETHER);
        read(
                subscription.destination(),
                sequences,
                messages -> {
                    subscription.loading = false;
                    messages.forEach(this::hold);
                    checkFound(subscription, sequences[0]);
                    add(subscription);
                });
    }

    private void checkFound(StoredSubscription subscription, long sequence) {
        if (subscription.next() == sequence
                && subscription.destination().inWindow(sequence) == null) {
            subscription.loading = true;
            shard.onReadFailure(
                    new LogException(
                            LogException.Reason.CORRUPT,
                            "message "
                                    + sequence
                                    + " of "
                                    + subscription.destination()
                                    + " is not there"));
        }
    }

    /// Reads those messages that are not in memory.
    private void read(
            StoredDestination destination, long[] sequences, Consumer<List<StoredMessage>> found) {
        reader.read(
                destination,
                sequences,
                messages -> {
                    found.accept(messages);
                    shard.flush();
                },
                failure -> shard.onReadFailure(failure));
    }

    /// A message has been read: keeps it, unless nobody needs it any more or it is there already.
    private void hold(StoredMessage message) {
        StoredDestination destination = message.destination;
        if (destination.inWindow(message.sequence) != null) {
            return;
        }
        message.references = destination.referencesTo(message.sequence);
        if (message.references > 0) {
            shard.window().add(message);
        }
    }

    /// Calls `action` with messages that a subscription still expects, from memory or from the log.
    private void withMessages(
            StoredSubscription subscription, long[] sequences, Consumer<StoredMessage> action) {
        StoredDestination destination = subscription.destination();
        Map<Long, StoredMessage> found = new LinkedHashMap<>();
        long[] missing = new long[sequences.length];
        int count = 0;
        for (long sequence : sequences) {
            StoredMessage message = destination.inWindow(sequence);
            if (message == null) {
                missing[count++] = sequence;
            } else {
                found.put(sequence, message);
            }
        }
        found.values().stream().filter(one -> subscription.expects(one.sequence)).forEach(action);
        if (count > 0) {
            read(
                    destination,
                    Arrays.copyOf(missing, count),
                    messages ->
                            messages.stream()
                                    .filter(one -> subscription.expects(one.sequence))
                                    .forEach(action));
        }
    }

    /// A message has failed too often.
    void bury(StoredSubscription subscription, long sequence) {
        withMessages(
                subscription, new long[] {sequence}, message -> shard.bury(subscription, message));
    }

    /// The time of delayed messages has come.
    void awaken(StoredSubscription subscription, Roaring64Bitmap sequences) {
        inParts(
                sequences,
                part ->
                        withMessages(
                                subscription, part, message -> shard.offer(subscription, message)));
    }

    /// Messages have expired: those that nobody has received go.
    void expire(StoredDestination destination, Roaring64Bitmap sequences) {
        for (StoredSubscription subscription : List.copyOf(destination.subscriptions())) {
            Roaring64Bitmap withdrawn = new Roaring64Bitmap();
            sequences.forEach(sequence -> {
                if (subscription.withdraw(sequence)) {
                    withdrawn.addLong(sequence);
                }
            });
            inParts(
                    withdrawn,
                    part ->
                            withMessages(
                                    subscription,
                                    part,
                                    message ->
                                            shard.end(
                                                    subscription,
                                                    message.sequence,
                                                    message.block.length)));
        }
    }

    private static void inParts(Roaring64Bitmap sequences, Consumer<long[]> action) {
        long[] all = sequences.toArray();
        for (int from = 0; from < all.length; from += READ_TOGETHER) {
            action.accept(
                    Arrays.copyOfRange(all, from, Math.min(all.length, from + READ_TOGETHER)));
        }
    }
}
