package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import winnow.store.Durability;
import winnow.store.LogException;

/// Brings messages to consumers that have credit, in turn; what is not in memory is read first,
/// many at a time. Owned by its shard.
final class Dispatcher {
    /// Messages that are read together, if they are not too long. A backlog of messages of 1 KiB is
    /// drained 1.15 times as fast as with 256, because each reading has to seek its first one.
    private static final int READ_TOGETHER = 1024;

    /// The same while memory is too small for what lanes read ahead: much of it is read in vain.
    private static final int FEW_READ_TOGETHER = 256;

    /// Messages that are brought to their end together.
    private static final int ENDED_TOGETHER = 256;

    /// Deliveries of one lane before the next has its turn.
    private static final int TURN = 256;

    /// Deliveries, and lanes that had their turn, before the shard does something else: about a
    /// millisecond.
    private static final int TOGETHER = 2048;

    private final Shard shard;
    private final MessageReader reader;
    private final GroupFinder groups;
    private final GroupTotal groupTotal;
    private final Deque<Lane> waiting = new ArrayDeque<>();

    /// True if [#run] goes on after other commands.
    private boolean goesOn;

    Dispatcher(Shard shard, MessageReader reader, GroupFinder groups, int maxGroups) {
        this.shard = shard;
        this.groups = groups;
        this.groupTotal = new GroupTotal(maxGroups);
        this.reader = reader;
    }

    /// Counts the groups of all lanes.
    GroupTotal groupTotal() {
        return groupTotal;
    }

    /// Something has changed for a lane that may let it deliver.
    void add(Lane lane) {
        if (!lane.dispatching && !lane.consumers().isEmpty()) {
            lane.dispatching = true;
            waiting.add(lane);
        }
    }

    /// Delivers what can be delivered now; if that is much, the rest after other commands.
    void run() {
        if (shard.journal().fenced()) {
            // The next owner delivers what waits, and no note says that this one has.
            return;
        }
        int left = TOGETHER;
        while (!waiting.isEmpty() && left > 0) {
            Lane lane = waiting.removeFirst();
            lane.dispatching = false;
            int deliveries = 0;
            boolean paused = lane.subscription.destination().paused();
            while (!paused && deliveries < TURN && deliverNext(lane)) {
                deliveries++;
            }
            if (deliveries == TURN) {
                add(lane);
            }
            left -= 1 + deliveries;
        }
        if (!waiting.isEmpty() && !goesOn) {
            goesOn = true;
            shard.executor().execute(this::goOn);
        }
    }

    private void goOn() {
        goesOn = false;
        shard.flush();
    }

    /// @return whether there may be more to do
    private boolean deliverNext(Lane lane) {
        StoredConsumer ready = lane.nextReady();
        if (ready == null) {
            ready = lane.nextPassing();
        }
        if (ready == null) {
            return false;
        }
        boolean hasParked = lane.subscription.waiting().hasParked();
        StoredConsumer awaited = hasParked ? lane.readyForParked() : null;
        if (awaited != null && !lane.isBefore(awaited.parked())) {
            return deliverParked(lane, awaited);
        }
        LaneScan.begin(shard, reader, lane, this::add);
        long sequence = lane.next();
        if (sequence < 0 || lane.mayHaveBefore(sequence)) {
            return false;
        }
        StoredSubscription subscription = lane.subscription;
        StoredMessage message = subscription.destination().inWindow(sequence);
        if (message == null) {
            if (!lane.loading) {
                lane.onMiss();
                int limit = lane.readsAhead() ? READ_TOGETHER : FEW_READ_TOGETHER;
                load(lane, lane.upcoming(limit));
            }
            return false;
        }
        if (message.headers.expired(shard.nowMillis())) {
            subscription.take(sequence);
            shard.settlement().expire(subscription, message);
            return true;
        }
        GroupFinder.Group group = groups.find(message);
        if (group != null && shard.settlement().heldGroups().holds(subscription, group.key())) {
            subscription.waiting().park(sequence);
            shard.settlement().heldGroups().add(subscription, group.key(), sequence);
            return true;
        }
        if (group != null && !mayOwn(lane, group, ready)) {
            return false;
        }
        StoredConsumer consumer = group == null ? ready : owner(lane, group, ready);
        if (group != null && (!consumer.ready() || consumer.parked().count() > 0)) {
            park(consumer, message);
            return true;
        }
        if (!mayDeliver(consumer, message)) {
            return false;
        }
        subscription.take(sequence);
        if (consumer == ready) {
            lane.onDelivered();
        }
        deliver(consumer, message, group);
        if (lane.onTakenFromMemory()) {
            load(lane, lane.upcoming(2 * READ_TOGETHER));
        }
        return true;
    }

    /// False for a group without a consumer and one that may have a single message without credit:
    /// the rest of the group would wait for it.
    private static boolean mayOwn(Lane lane, GroupFinder.Group group, StoredConsumer consumer) {
        return consumer.ready() || lane.groups.owner(group.key()) != null;
    }

    /// The consumer that has the messages of a group; `ready` if there is none yet, or one that
    /// wants no messages and has none of the group.
    private StoredConsumer owner(Lane lane, GroupFinder.Group group, StoredConsumer ready) {
        StoredConsumer owner = lane.groups.owner(group.key());
        if (owner == null || (!owner.granted() && !lane.groups.isBusy(group.key()))) {
            lane.groups.assign(group.key(), ready, groupTotal);
            return ready;
        }
        return owner;
    }

    /// A message waits for the consumer of its group, so that others are not held up.
    private static void park(StoredConsumer owner, StoredMessage message) {
        WaitingList waiting = owner.subscription().waiting();
        waiting.park(message.sequence);
        owner.parked().add(message.sequence, message.headers.priority());
        waiting.forgetStale(owner.parked());
    }

    private boolean deliverParked(Lane lane, StoredConsumer consumer) {
        StoredSubscription subscription = lane.subscription;
        long sequence = consumer.parked().next();
        StoredMessage message = subscription.destination().inWindow(sequence);
        if (!subscription.waiting().isParked(sequence)) {
            consumer.parked().remove(sequence);
            return true;
        }
        if (message == null) {
            load(lane, consumer.parked().upcoming(READ_TOGETHER));
            return false;
        }
        if (message.headers.expired(shard.nowMillis())) {
            consumer.parked().remove(sequence);
            subscription.take(sequence);
            shard.settlement().expire(subscription, message);
            return true;
        }
        GroupFinder.Group group = groups.find(message);
        if (group != null && shard.settlement().heldGroups().holds(subscription, group.key())) {
            consumer.parked().remove(sequence);
            shard.settlement().heldGroups().add(subscription, group.key(), sequence);
            return true;
        }
        StoredConsumer owner = group == null ? consumer : owner(lane, group, consumer);
        if (owner != consumer) {
            // The group was forgotten meanwhile, and has begun again elsewhere.
            consumer.parked().remove(sequence);
            owner.parked().add(sequence, message.headers.priority());
            return true;
        }
        if (!mayDeliver(consumer, message)) {
            return false;
        }
        consumer.parked().remove(sequence);
        subscription.take(sequence);
        deliver(consumer, message, group);
        return true;
    }

    /// True if the log has a note that a message may be delivered, and there is room for it on its
    /// way. If not, the log gets one, whose completion comes back here; or others are asked.
    private boolean mayDeliver(StoredConsumer consumer, StoredMessage message) {
        StoredSubscription subscription = consumer.subscription();
        if (message.stored
                && subscription.durable()
                && !shard.journal().failed()
                && !subscription.progress().mayDeliver(message.sequence)) {
            shard.journal().announce(subscription, message.sequence);
            return false;
        }
        if (!consumer.takes(message)) {
            // Another consumer may have room for it.
            add(consumer.lane());
            return false;
        }
        return true;
    }

    private void deliver(
            StoredConsumer consumer, StoredMessage message, GroupFinder.@Nullable Group group) {
        int earlier = consumer.subscription().earlierDeliveries(message.sequence);
        Counts counts = message.destination.counts();
        counts.delivered++;
        counts.redelivered += earlier > 0 ? 1 : 0;
        if (group != null) {
            consumer.lane().groups.onDelivered(group.key(), consumer, groupTotal);
        }
        consumer.deliver(message, earlier, group);
    }

    /// Lets others have what waits for a consumer alone.
    void unpark(StoredConsumer consumer) {
        if (consumer.parked().count() > 0) {
            consumer.subscription().unpark(consumer.parked().all(), this::add);
            consumer.parked().clear();
        }
    }

    /// Reads those of the messages that are not in memory, unless the lane is reading already.
    private void load(Lane lane, long[] sequences) {
        if (lane.loading) {
            return;
        }
        StoredDestination destination = lane.subscription.destination();
        long[] absent = absent(destination, sequences);
        if (absent.length == 0) {
            return;
        }
        lane.loading = true;
        read(
                destination,
                absent,
                read -> {
                    lane.loading = false;
                    read.messages().forEach(this::hold);
                    lane.onRead(read.messages().size());
                    add(lane);
                });
    }

    /// Sequences of messages that are not in memory.
    private static long[] absent(StoredDestination destination, long[] sequences) {
        long[] absent = new long[sequences.length];
        int count = 0;
        for (long sequence : sequences) {
            if (destination.inWindow(sequence) == null) {
                absent[count++] = sequence;
            }
        }
        return Arrays.copyOf(absent, count);
    }

    /// Reads messages, the first ones if all are too long. Those that are damaged, or not there
    /// although a subscription has not acknowledged them, are put aside.
    private void read(
            StoredDestination destination, long[] sequences, Consumer<MessageReader.Found> found) {
        reader.read(
                destination,
                sequences,
                MessageReader.MAX_BYTES,
                read -> {
                    for (StoredMessage message : read.messages()) {
                        message.maxNameId = shard.names().count();
                        message.owner = reader.ownerOf(destination, message.sequence);
                    }
                    shard.intake().quarantine(destination, damaged(destination, sequences, read));
                    found.accept(read);
                    shard.flush();
                },
                shard::onReadFailure);
    }

    /// Members of `sequences` that were looked at and not found though a subscription needs them.
    private static List<Damage> damaged(
            StoredDestination destination, long[] sequences, MessageReader.Found read) {
        Set<Long> told = new HashSet<>();
        read.messages().forEach(message -> told.add(message.sequence));
        read.damaged().forEach(damage -> told.add(damage.sequence));
        List<Damage> all = new ArrayList<>(read.damaged());
        for (int i = 0; i < read.count(); i++) {
            long sequence = sequences[i];
            if (!told.contains(sequence)
                    && destination.inWindow(sequence) == null
                    && destination.referencesTo(sequence) > 0) {
                all.add(new Damage(sequence, "it is not there", null, null));
            }
        }
        return all;
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

    /// Calls `action` as the method below does.
    void withMessages(
            StoredSubscription subscription, long[] sequences, Consumer<StoredMessage> action) {
        withMessages(subscription, sequences, action, () -> {});
    }

    /// Calls `action` with messages that a subscription still expects, from memory or from the log,
    /// then `done`. Those that are too long to be read together are read when the log has what was
    /// done with the others.
    void withMessages(
            StoredSubscription subscription,
            long[] sequences,
            Consumer<StoredMessage> action,
            Runnable done) {
        StoredDestination destination = subscription.destination();
        long[] missing = absent(destination, sequences);
        for (long sequence : sequences) {
            StoredMessage message = destination.inWindow(sequence);
            if (message != null && subscription.expects(sequence)) {
                action.accept(message);
            }
        }
        if (missing.length == 0) {
            done.run();
            return;
        }
        read(
                destination,
                missing,
                read -> {
                    read.messages().stream()
                            .filter(one -> subscription.expects(one.sequence))
                            .forEach(action);
                    if (read.count() == missing.length) {
                        done.run();
                        return;
                    }
                    long[] left = Arrays.copyOfRange(missing, read.count(), missing.length);
                    whenWritten(() -> withMessages(subscription, left, action, done));
                });
    }

    /// Goes on when the log has what was done so far, or has failed: so what is on its way to the
    /// log takes little heap.
    void whenWritten(Runnable action) {
        shard.await(
                Durability.WRITTEN,
                new Outcome() {
                    @Override
                    public void onDone() {
                        action.run();
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        action.run();
                    }
                });
    }

    /// A message has failed too often.
    void bury(StoredSubscription subscription, long sequence) {
        withMessages(
                subscription,
                new long[] {sequence},
                message -> shard.settlement().bury(subscription, message));
    }

    /// The time of delayed messages has come.
    void awaken(StoredSubscription subscription, SequenceSet sequences) {
        inParts(
                subscription,
                sequences.iterator(),
                message -> shard.intake().offer(subscription, message));
    }

    /// Messages have expired: those that nobody has received go, others when they come back.
    void expire(StoredDestination destination, SequenceSet sequences) {
        for (StoredSubscription subscription : List.copyOf(destination.subscriptions())) {
            SequenceSet withdrawn = new SequenceSet();
            sequences.forEach(sequence -> {
                if (subscription.take(sequence)) {
                    withdrawn.add(sequence);
                } else if (subscription.expects(sequence)) {
                    subscription.onExpired(sequence);
                }
            });
            shard.catalog().onChanged(subscription);
            inParts(
                    subscription,
                    withdrawn.iterator(),
                    message -> shard.settlement().expire(subscription, message));
        }
    }

    private void inParts(
            StoredSubscription subscription, LongIterator left, Consumer<StoredMessage> action) {
        long[] part = new long[ENDED_TOGETHER];
        int count = 0;
        while (count < part.length && left.hasNext()) {
            part[count++] = left.next();
        }
        withMessages(
                subscription,
                Arrays.copyOf(part, count),
                action,
                () -> {
                    if (left.hasNext()) {
                        whenWritten(() -> inParts(subscription, left, action));
                    }
                });
    }
}
