package winnow.broker.shard;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.StoredConsumer.Delivered;
import winnow.broker.shard.StoredMessage.Headers;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;

/// Keeps the messages of queues and durable subscriptions until they are acknowledged: takes
/// messages, writes them to its log, delivers them to consumers that have credit, and forgets them.
///
/// Everything belongs to one thread, which calls [#flush] after one or several commands. The time
/// is told by [#onTime].
public final class Shard {
    private final Journal journal;
    private final ShardConfig config;
    private final Catalog catalog = new Catalog();
    private final MessageWindow window;
    private final Timetable<StoredDestination> expirations = new Timetable<>();
    private final Timetable<StoredSubscription> delays = new Timetable<>();
    private final Dispatcher dispatcher;
    private final Transactions transactions = new Transactions(this);
    private final DuplicateWindow duplicates;
    private final StoredNames names;
    private final Intake intake;
    private long nowMillis;

    /// An empty shard, or one that [ShardRecovery] fills.
    ///
    /// @param executor the shard's thread: takes what the readers bring
    /// @param readers read messages from the log
    /// @param propertyNames names of properties by their numbers, from 1
    Shard(
            ShardLog log,
            ShardConfig config,
            Executor executor,
            Executor readers,
            IntFunction<String> propertyNames,
            long nowMillis) {
        this.names = new StoredNames(propertyNames);
        this.journal = new Journal(log, config.deletedTogether(), this::onWritten);
        this.config = config;
        this.nowMillis = nowMillis;
        this.window = new MessageWindow(config.windowBytes());
        this.duplicates = new DuplicateWindow(config.duplicateIds());
        this.dispatcher = new Dispatcher(this, new MessageReader(log, executor, readers));
        this.intake = new Intake(this, expirations, delays);
    }

    long nowMillis() {
        return nowMillis;
    }

    ShardConfig config() {
        return config;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Intake intake() {
        return intake;
    }

    MessageWindow window() {
        return window;
    }

    /// The queue with that name, which is made if there is none.
    public StoredDestination queue(String name) {
        return catalog.findQueue(name)
                .orElseGet(() -> {
                    StoredDestination made = create(DestinationKind.QUEUE, name);
                    create(made, SubscriptionName.QUEUE);
                    return made;
                });
    }

    /// The topic with that name, which is made if there is none.
    public StoredDestination topic(String name) {
        return catalog.findTopic(name).orElseGet(() -> create(DestinationKind.TOPIC, name));
    }

    /// What there is.
    public Catalog catalog() {
        return catalog;
    }

    public Transactions transactions() {
        return transactions;
    }

    StoredNames names() {
        return names;
    }

    /// The names of properties that stored messages use by number. Whoever opens a shard gives them
    /// these numbers before it takes messages: the first is number 1.
    public List<String> propertyNames() {
        return names.stored();
    }

    DuplicateWindow duplicates() {
        return duplicates;
    }

    Journal journal() {
        return journal;
    }

    /// Remembers what a client may send again.
    ///
    /// @param id empty if there is none
    /// @return false if it has come before
    boolean remember(String id) {
        return id.isEmpty() || duplicates.add(journal.batch(), id);
    }

    private StoredDestination create(DestinationKind kind, String name) {
        StoredDestination made = new StoredDestination(catalog.nextId(), kind, name, 0);
        catalog.add(made);
        ShardRows.put(journal.batch(), made);
        return made;
    }

    private StoredSubscription create(StoredDestination destination, SubscriptionName name) {
        StoredSubscription made = new StoredSubscription(catalog.nextId(), destination, name);
        catalog.add(made);
        ShardRows.put(journal.batch(), made);
        // Its progress says that earlier messages are none of its.
        journal.note(made);
        return made;
    }

    /// Makes a durable subscription, which gets the messages that are appended from then on.
    ///
    /// @param outcome when it is durable
    public StoredSubscription subscribe(
            StoredDestination topic, SubscriptionName name, Outcome outcome) {
        StoredSubscription made = create(topic, name);
        journal.waitFor(outcome, Durability.SYNCED);
        return made;
    }

    /// Ends a durable subscription; it has no consumers any more.
    public void unsubscribe(StoredSubscription subscription, Outcome outcome) {
        catalog.remove(subscription);
        StoredDestination topic = subscription.destination();
        subscription.outstanding().forEach(sequence -> dereference(topic, sequence));
        subscription.clear();
        journal.forget(subscription);
        journal.waitFor(outcome, Durability.SYNCED);
    }

    private void dereference(StoredDestination destination, long sequence) {
        StoredMessage message = destination.inWindow(sequence);
        if (message != null && --message.references <= 0) {
            window.remove(message);
        }
    }

    /// Takes a message: for a queue, or for those durable subscriptions of a topic that want it.
    ///
    /// @param block parsed; its array is borrowed
    /// @param maxNameId largest number that it uses for the name of a property, 0 if it uses none
    /// @param recipients those of its subscriptions with a selector that want it
    /// @param id by which a persistent message is recognised when it is sent again after a lost
    ///   connection; empty if it has none
    /// @param outcome a persistent message: when it is durable. Another: when it has been taken
    public void append(
            StoredDestination destination,
            MessageBlock block,
            int maxNameId,
            Recipients recipients,
            String id,
            Outcome outcome) {
        if (journal.refuses(outcome)) {
            return;
        }
        Headers headers = Headers.of(block, recipients, maxNameId);
        if (remember(id)) {
            byte[] copy = new byte[block.length()];
            System.arraycopy(block.array(), block.start(), copy, 0, copy.length);
            intake.append(destination, copy, headers, headers.persistent());
        }
        journal.waitFor(outcome, headers.persistent() ? Durability.SYNCED : Durability.WRITTEN);
    }

    /// Messages could not be read. Those that wait for them go on waiting.
    void onReadFailure(LogException cause) {
        journal.onFailed(cause);
    }

    /// A consumer begins; it has no credit yet.
    ///
    /// @param filter which messages it wants; null for all
    public StoredConsumer attach(
            StoredSubscription subscription,
            @Nullable MessageFilter filter,
            StoredConsumer.Receiver receiver) {
        Lane lane = subscription.lane(filter);
        StoredConsumer consumer = new StoredConsumer(lane, receiver);
        lane.consumers().add(consumer);
        return consumer;
    }

    /// More credit from a client.
    public void onCredit(StoredConsumer consumer, int messages, int bytes) {
        consumer.addCredit(messages, bytes);
        dispatcher.add(consumer.lane());
    }

    /// A consumer ends; what it has not acknowledged comes back.
    public void detach(StoredConsumer consumer, Return how) {
        consumer.close();
        consumer.lane().consumers().remove(consumer);
        consumer.subscription().onDetached(consumer.lane());
        long[] sequences = new long[consumer.unacknowledged()];
        int count = 0;
        for (Delivered delivered : consumer.delivered()) {
            sequences[count++] = delivered.sequence();
        }
        release(consumer, sequences, how);
    }

    /// A client has processed messages. One that was not delivered to this consumer is passed over.
    ///
    /// @param least [Durability#SYNCED] where the client must not get them again after a crash
    public void acknowledge(
            StoredConsumer consumer, long[] sequences, Durability least, Outcome outcome) {
        if (journal.refuses(outcome)) {
            return;
        }
        for (long sequence : sequences) {
            acknowledge(consumer, sequence);
        }
        journal.waitFor(outcome, least);
    }

    void acknowledge(StoredConsumer consumer, long sequence) {
        Delivered delivered = consumer.remove(sequence);
        if (delivered != null) {
            end(consumer.subscription(), sequence, delivered.bytes());
        }
    }

    /// A subscription needs a message no more.
    void end(StoredSubscription subscription, long sequence, int bytes) {
        StoredDestination destination = subscription.destination();
        StoredMessage message = destination.inWindow(sequence);
        boolean stored = message == null || message.stored;
        subscription.onAcknowledged(sequence, bytes, stored);
        dereference(destination, sequence);
        if (stored) {
            journal.note(subscription);
        }
    }

    /// Messages come back that were delivered and not acknowledged, and are delivered again.
    public void release(StoredConsumer consumer, long[] sequences, Return how) {
        StoredSubscription subscription = consumer.subscription();
        for (long sequence : sequences) {
            Delivered delivered = consumer.remove(sequence);
            if (delivered != null) {
                release(subscription, delivered, how);
            }
        }
    }

    void release(StoredSubscription subscription, Delivered delivered, Return how) {
        long sequence = delivered.sequence();
        StoredMessage message = subscription.destination().inWindow(sequence);
        boolean stored = message == null || message.stored;
        int attempts = subscription.onReleased(sequence, how, stored);
        if (stored) {
            journal.note(subscription);
        }
        if (how == Return.FAILED
                && config.maxDeliveries() > 0
                && attempts >= config.maxDeliveries()) {
            dispatcher.bury(subscription, sequence);
        } else if (how == Return.FAILED && config.redeliveryDelayMillis() > 0) {
            delays.add(nowMillis + config.redeliveryDelayMillis(), subscription, sequence);
        } else {
            byte[] head = message == null ? null : message.block;
            subscription.onAvailable(sequence, delivered.priority(), head, dispatcher::add);
        }
    }

    /// Moves a message to the dead-letter queue. The message stays until the log has both changes.
    void bury(StoredSubscription subscription, StoredMessage message) {
        StoredDestination grave = queue(config.deadLetters());
        if (subscription.destination() == grave) {
            intake.offer(subscription, message);
            return;
        }
        Headers old = message.headers;
        Headers headers =
                new Headers(
                        old.persistent(),
                        old.priority(),
                        0,
                        0,
                        Recipients.NONE,
                        message.block.length,
                        old.maxNameId());
        intake.append(grave, message.block, headers, true);
        end(subscription, message.sequence, message.block.length);
        journal.demand(Durability.SYNCED);
    }

    /// The time, in milliseconds since 1970: what is due becomes available or expires.
    public void onTime(long newMillis) {
        nowMillis = Math.max(nowMillis, newMillis);
        delays.due(nowMillis, dispatcher::awaken);
        expirations.due(nowMillis, dispatcher::expire);
    }

    /// When [#onTime] has something to do next, in ms since 1970; [Long#MAX_VALUE] if never.
    public long nextTime() {
        return Math.min(delays.next(), expirations.next());
    }

    /// Delivers what can be delivered, and appends to the log what has changed since the last call.
    public void flush() {
        dispatcher.run();
        if (journal.failure().isEmpty()) {
            window.shrink(intake::spill);
        }
        journal.flush();
    }

    private void onWritten(Entry written) {
        for (Entry.Mark mark : written.marks) {
            mark.subscription().progress().onMarkDurable(mark.below());
            mark.subscription().lanes().forEach(dispatcher::add);
        }
        written.spilled.forEach(message -> message.readable = true);
        for (StoredMessage message : written.appended) {
            message.readable = true;
            intake.makeAvailable(message);
        }
        written.waiting.forEach(Outcome::onDone);
        flush();
    }

    /// The broker stops: what is unacknowledged has come back before. So this run leaves nothing
    /// that may have been delivered without a count.
    public void settle() {
        for (StoredSubscription subscription : catalog.subscriptions()) {
            subscription.settle();
            journal.note(subscription);
        }
        journal.demand(Durability.SYNCED);
    }

    /// Why the log takes no more, if that is so.
    public Optional<LogException> failure() {
        return journal.failure();
    }
}
