package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Brings messages to consumers that have credit, in turn; what is not in memory is read first,
/// many at a time. Owned by its shard.
final class Dispatcher {
    /// Messages that are read together: a batch of 256 messages of 1 KiB takes a read of 256 KiB.
    private static final int READ_TOGETHER = 256;

    /// Headers that a filter looks at together.
    private static final int SCANNED_TOGETHER = 1024;

    /// Deliveries of one lane before the next has its turn.
    private static final int TURN = 256;

    private final Shard shard;
    private final MessageReader reader;
    private final Deque<Lane> waiting = new ArrayDeque<>();

    Dispatcher(Shard shard, MessageReader reader) {
        this.shard = shard;
        this.reader = reader;
    }

    /// Something has changed for a lane that may let it deliver.
    void add(Lane lane) {
        if (!lane.dispatching && !lane.consumers().isEmpty()) {
            lane.dispatching = true;
            waiting.add(lane);
        }
    }

    /// Delivers what can be delivered now.
    void run() {
        while (!waiting.isEmpty()) {
            Lane lane = waiting.removeFirst();
            lane.dispatching = false;
            for (int i = 0; i < TURN && deliverNext(lane); i++) {
                if (i == TURN - 1) {
                    add(lane);
                }
            }
        }
    }

    /// @return whether there may be more to do
    private boolean deliverNext(Lane lane) {
        StoredConsumer consumer = lane.loading ? null : lane.nextReady();
        if (consumer == null) {
            return false;
        }
        scan(lane);
        long sequence = lane.next();
        if (sequence < 0 || lane.mayHaveBefore(sequence)) {
            return false;
        }
        StoredSubscription subscription = lane.subscription;
        StoredMessage message = subscription.destination().inWindow(sequence);
        if (message == null) {
            load(lane);
            return false;
        }
        if (message.headers.expired(shard.nowMillis())) {
            subscription.take(sequence);
            shard.end(subscription, sequence, message.block.length);
            return true;
        }
        if (message.stored && !subscription.progress().mayDeliver(sequence)) {
            // The completion of the note comes back here.
            shard.journal().announce(subscription, sequence);
            return false;
        }
        subscription.take(sequence);
        consumer.deliver(message, subscription.earlierDeliveries(sequence));
        return true;
    }

    /// Lets a filter look at the headers of messages that it has not seen, some at a time.
    private void scan(Lane lane) {
        MessageFilter filter = lane.filter;
        if (filter == null || lane.scanning() || !lane.hasUnseen()) {
            return;
        }
        StoredSubscription subscription = lane.subscription;
        StoredDestination destination = subscription.destination();
        long[] unread = new long[SCANNED_TOGETHER];
        int count = 0;
        for (long sequence : lane.takeUnseen(SCANNED_TOGETHER)) {
            StoredMessage message = destination.inWindow(sequence);
            if (message == null) {
                unread[count++] = sequence;
            } else {
                lane.onAvailable(sequence, message.headers.priority(), message.block);
            }
        }
        if (count == 0) {
            add(lane);
            return;
        }
        lane.onScan(unread[0]);
        reader.readHeads(
                destination,
                Arrays.copyOf(unread, count),
                (sequence, head) ->
                        lane.onAvailable(sequence, head.headers().priority(), head.bytes()),
                damaged -> {
                    damaged.forEach(one -> shard.intake().quarantine(destination, one));
                    lane.onScanned();
                    add(lane);
                    shard.flush();
                },
                shard::onReadFailure);
    }

    private void load(Lane lane) {
        lane.loading = true;
        long[] sequences = lane.upcoming(READ_TOGETHER);
        read(
                lane.subscription.destination(),
                sequences,
                messages -> {
                    lane.loading = false;
                    messages.forEach(this::hold);
                    add(lane);
                });
    }

    /// Reads messages. Those that are damaged, or not there although a subscription has not
    /// acknowledged them, are put aside.
    private void read(
            StoredDestination destination, long[] sequences, Consumer<List<StoredMessage>> found) {
        reader.read(
                destination,
                sequences,
                read -> {
                    read.damaged().forEach(one -> shard.intake().quarantine(destination, one));
                    Set<Long> there = new HashSet<>();
                    read.messages().forEach(message -> there.add(message.sequence));
                    for (long sequence : sequences) {
                        if (!there.contains(sequence)
                                && destination.inWindow(sequence) == null
                                && destination.referencesTo(sequence) > 0) {
                            shard.intake()
                                    .quarantine(
                                            destination,
                                            new Damage(sequence, "it is not there", null, null));
                        }
                    }
                    found.accept(read.messages());
                    shard.flush();
                },
                shard::onReadFailure);
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
                                subscription,
                                part,
                                message -> shard.intake().offer(subscription, message)));
    }

    /// Messages have expired: those that nobody has received go.
    void expire(StoredDestination destination, Roaring64Bitmap sequences) {
        for (StoredSubscription subscription : List.copyOf(destination.subscriptions())) {
            Roaring64Bitmap withdrawn = new Roaring64Bitmap();
            sequences.forEach(sequence -> {
                if (subscription.take(sequence)) {
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
