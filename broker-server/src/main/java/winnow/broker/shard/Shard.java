package winnow.broker.shard;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;

/// Keeps the messages of queues and stored subscriptions until they are acknowledged: takes
/// messages, writes them to its log, delivers them to consumers that have credit, and forgets them.
///
/// When the log has failed, nothing is taken any more, and consumers get what can be read: whoever
/// opens the log again says so to [ShardRecovery], because these messages may come again.
///
/// Belongs to one thread, which calls [#flush] after commands, and tells the time by [#onTime].
public final class Shard {
    private final Journal journal;
    private ShardConfig config;
    private final Catalog catalog;
    private final MessageWindow window;
    private final Timetable<StoredDestination> expirations;
    private final Timetable<StoredSubscription> delays;
    private final Executor executor;
    private final MessageReader reader;
    private final Dispatcher dispatcher;
    private final Transactions transactions;
    private final SentAgain sentAgain;
    private final StoredNames names;
    private final Intake intake;
    private final Settlement settlement;
    private final Registry registry;
    private final Ids ids = new Ids();
    private final LargeBodies bodies;
    private final Admission admission;
    private final Operations operations = new Operations(this);
    private final Counts former = new Counts();
    private final ShardTime time;
    private final StoreMemory memory;

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
            ShardTime time) {
        this.bodies = new LargeBodies(this, config.largeBodyHeap());
        this.names = new StoredNames(propertyNames);
        this.catalog = new Catalog(config.destinationHeap());
        this.journal = new Journal(log, config.deletedTogether(), catalog, this::onWritten);
        this.config = config;
        this.transactions = new Transactions(this);
        this.time = time;
        this.window = new MessageWindow(config.windowHeap());
        this.memory = new StoreMemory(window);
        this.sentAgain = new SentAgain(config, propertyNames, time);
        this.executor = executor;
        this.expirations = new Timetable<>(config.timerHeap("expirations"));
        this.delays = new Timetable<>(config.timerHeap("delays"));
        this.reader = new MessageReader(log, executor, readers);
        this.dispatcher =
                new Dispatcher(this, reader, new GroupFinder(propertyNames), config.maxGroups());
        this.admission = new Admission(this, delays);
        this.intake = new Intake(this, expirations, delays);
        this.settlement = new Settlement(this, expirations, delays);
        this.registry = new Registry(this, ids, expirations, delays);
    }

    public StoreMemory memory() {
        return memory;
    }

    public ShardTime time() {
        return time;
    }

    /// The shard's time, which goes on however the wall clock jumps.
    long nowMillis() {
        return time.nowMillis();
    }

    ShardConfig config() {
        return config;
    }

    /// Other rules, for all destinations from now on; what already waits is not looked at again.
    public void policies(Policies changed) {
        config = config.withPolicies(changed);
        for (StoredDestination one : catalog.destinations()) {
            one.setPolicy(changed.of(one.kind(), one.name()));
        }
    }

    /// Runs what it is given on the shard's thread: slices of long work in later turns.
    public Executor executor() {
        return executor;
    }

    MessageReader reader() {
        return reader;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Intake intake() {
        return intake;
    }

    Settlement settlement() {
        return settlement;
    }

    Registry registry() {
        return registry;
    }

    Admission admission() {
        return admission;
    }

    Ids ids() {
        return ids;
    }

    MessageWindow window() {
        return window;
    }

    /// The bodies that are in parts.
    public LargeBodies bodies() {
        return bodies;
    }

    /// The queue with that name, which is made if there is none.
    public StoredDestination queue(String name) {
        return catalog.findQueue(name)
                .orElseGet(() -> registry.create(DestinationKind.QUEUE, name, false));
    }

    /// Makes a queue that ends with the broker at the latest; its owner calls [#remove] before.
    ///
    /// @throws IllegalStateException if there is a queue with that name
    public StoredDestination temporaryQueue(String name) {
        if (catalog.findQueue(name).isPresent()) {
            throw new IllegalStateException("there is a queue " + name + " already");
        }
        return registry.create(DestinationKind.QUEUE, name, true);
    }

    /// The topic with that name, which is made if there is none.
    public StoredDestination topic(String name) {
        return catalog.findTopic(name)
                .orElseGet(() -> registry.create(DestinationKind.TOPIC, name, false));
    }

    /// Removes a queue or topic with its messages and subscriptions.
    ///
    /// @param outcome when that is durable; for a temporary queue at once
    /// @throws IllegalStateException if it has consumers, or a prepared transaction needs it
    public void remove(StoredDestination destination, Outcome outcome) {
        registry.remove(destination, outcome);
    }

    /// Removes a destination if nobody would miss it: a queue without messages and consumers, a
    /// topic without subscriptions, and no prepared transaction needs it.
    ///
    /// @return whether it was removed
    public boolean collect(StoredDestination destination) {
        return registry.collect(destination);
    }

    /// Reason why there can be no other queue or stored subscription of an owner, although those
    /// that nobody uses have left; null if there can be.
    ///
    /// @param owner user or address, empty if it is not known; `bytes` of heap that it takes
    public @Nullable String full(String owner, long bytes) {
        return registry.full(owner, bytes);
    }

    /// Destinations and subscriptions of the shard.
    public Catalog catalog() {
        return catalog;
    }

    public Transactions transactions() {
        return transactions;
    }

    /// Operations of operators on messages.
    public Operations operations() {
        return operations;
    }

    StoredNames names() {
        return names;
    }

    /// The names of properties that stored messages use by number. Whoever opens a shard gives them
    /// these numbers before it takes messages: the first is number 1.
    public List<String> propertyNames() {
        return names.stored();
    }

    /// Recognises what clients send again.
    public SentAgain sentAgain() {
        return sentAgain;
    }

    Journal journal() {
        return journal;
    }

    /// Makes a subscription, which gets the messages that are appended from then on.
    ///
    /// @param outcome when it is durable, or at once if it need not be; its owner is charged
    public StoredSubscription subscribe(
            StoredDestination topic, SubscriptionName name, Outcome outcome) {
        registry.own(topic, outcome.owner());
        StoredSubscription made = registry.create(topic, name, outcome.owner());
        registry.confirm(outcome, name.durable());
        return made;
    }

    /// Ends a subscription.
    ///
    /// @param outcome when that is durable, or at once if it need not be
    /// @throws IllegalStateException if it has consumers
    public void unsubscribe(StoredSubscription subscription, Outcome outcome) {
        registry.unsubscribe(subscription, outcome);
    }

    /// Takes a message: for a queue, or for those stored subscriptions of a topic that want it.
    ///
    /// @param block parsed; its array is borrowed
    /// @param maxNameId largest number that it uses for the name of a property, 0 if it uses none
    /// @param recipients those of its subscriptions with a selector that want it
    /// @param id as in the method below
    /// @param outcome as in the method below
    public void append(
            StoredDestination destination,
            MessageBlock block,
            int maxNameId,
            Recipients recipients,
            String id,
            Outcome outcome) {
        byte[] copy = new byte[block.length()];
        System.arraycopy(block.array(), block.start(), copy, 0, copy.length);
        append(destination, copy, MessageHeaders.of(block, recipients, maxNameId), id, outcome);
    }

    /// Takes a message that is recognised by its property [DuplicateIdFinder#PROPERTY], if it has
    /// that, when it is sent again.
    ///
    /// @param block as in the method below
    /// @param headers as in the method below
    /// @param outcome as in the method below; refused, too, if the property is no string
    public void append(
            StoredDestination destination, byte[] block, MessageHeaders headers, Outcome outcome) {
        String id;
        try {
            id = sentAgain.finder().find(destination, block, headers);
        } catch (IllegalArgumentException e) {
            outcome.onRefused(String.valueOf(e.getMessage()));
            return;
        }
        append(destination, block, headers, id, outcome);
    }

    /// Takes a message: for a queue, or for those stored subscriptions of a topic that want it.
    ///
    /// @param block its block, which belongs to the shard from now on
    /// @param headers read from it
    /// @param id by which a persistent message is recognised when it is sent again after a lost
    ///   connection; empty if it has none
    /// @param outcome a persistent message that one who survives the broker wants: when it is
    ///   durable. Another: with the next [#flush], or when older messages have made room. Refused
    ///   where the destination is full and its [Policy] says so
    public void append(
            StoredDestination destination,
            byte[] block,
            MessageHeaders headers,
            String id,
            Outcome outcome) {
        if (!journal.refuses(outcome)) {
            intake.append(destination, block, headers.in(time), id, outcome);
        }
    }

    /// Messages could not be read. Those that wait for them go on waiting.
    void onReadFailure(LogException cause) {
        journal.onFailed(cause);
    }

    /// A consumer begins; it has no credit yet.
    ///
    /// @param filter which messages it wants; null for all
    /// @throws IllegalStateException if the subscription has ended
    public StoredConsumer attach(
            StoredSubscription subscription,
            @Nullable MessageFilter filter,
            StoredConsumer.Receiver receiver) {
        if (subscription.ended()) {
            throw new IllegalStateException(subscription + " has ended");
        }
        return settlement.attach(subscription, filter, receiver);
    }

    /// Shows what waits for a consumer now, beginning with the browser's first credit.
    ///
    /// @param filter which messages are shown; null for all
    /// @param maxMessages so many at most
    public Browser browse(
            StoredSubscription subscription,
            @Nullable MessageFilter filter,
            long maxMessages,
            Browser.Receiver receiver) {
        return new Browser(this, subscription, filter, maxMessages, receiver);
    }

    /// More credit from a client.
    public void onCredit(StoredConsumer consumer, int messages, int bytes) {
        consumer.grant(messages, bytes);
        dispatcher.add(consumer.lane());
    }

    /// A consumer's client wants no messages for now. Others may have what waits for it.
    public void onCreditEnded(StoredConsumer consumer) {
        consumer.endCredit();
        dispatcher.unpark(consumer);
    }

    /// A receiver that was not ready may be so now.
    public void resume(StoredConsumer consumer) {
        dispatcher.add(consumer.lane());
    }

    /// A consumer ends; what it has not acknowledged comes back.
    public void detach(StoredConsumer consumer, Return how) {
        settlement.detach(consumer, sequence -> false, how);
    }

    /// A consumer ends; what its client has not seen comes back as [Return#UNSEEN]. The rest may
    /// still be acknowledged or released.
    ///
    /// @param seen says by sequence what the client has seen
    public void detach(StoredConsumer consumer, LongPredicate seen) {
        settlement.detach(consumer, seen, Return.UNSEEN);
    }

    /// A client has processed messages. One that was not delivered to this consumer is passed over.
    ///
    /// @param least [Durability#SYNCED] where the client must not get them again after a crash:
    ///   this is refused when the log has failed, while another acknowledgement holds until the end
    ///   then
    public void acknowledge(
            StoredConsumer consumer, long[] sequences, Durability least, Outcome outcome) {
        if (least == Durability.SYNCED && journal.refuses(outcome)) {
            return;
        }
        for (long sequence : sequences) {
            settlement.acknowledge(consumer, sequence);
        }
        await(least, outcome);
    }

    /// Tells when everything so far is as durable as wanted; messages that can be delivered by then
    /// are delivered before.
    public void await(Durability least, Outcome outcome) {
        if (least == Durability.SYNCED && journal.refuses(outcome)) {
            return;
        }
        if (journal.failed()) {
            journal.confirm(outcome);
        } else {
            journal.waitFor(outcome, least);
        }
    }

    /// Messages come back that were delivered and not acknowledged, and are delivered again. Their
    /// credit comes back, too.
    public void release(StoredConsumer consumer, long[] sequences, Return how) {
        for (long sequence : sequences) {
            settlement.release(consumer, sequence, how);
        }
    }

    /// A message that was delivered has expired before its application has seen it.
    public void expire(StoredConsumer consumer, long sequence) {
        settlement.expire(consumer, sequence);
    }

    /// The time, if no clock was set since the shard was opened. See the method below.
    public void onTime(long millis) {
        onTime(millis, millis);
    }

    /// The time, in milliseconds since 1970: what is due becomes available or expires.
    ///
    /// @param wallMillis the wall clock
    /// @param steadyMillis a clock that nobody sets; its zero is anywhere
    public void onTime(long wallMillis, long steadyMillis) {
        time.onTime(wallMillis, steadyMillis, journal);
        delays.due(nowMillis(), dispatcher::awaken);
        settlement.due(nowMillis());
        expirations.due(nowMillis(), dispatcher::expire);
    }

    /// So long after the last [#onTime] it and [#flush] have something to do next, in ms;
    /// [Long#MAX_VALUE] if never.
    public long nextMillis() {
        long due = Math.min(delays.next(), settlement.next());
        long next = Math.min(journal.nextTime(), Math.min(due, expirations.next()));
        return next == Long.MAX_VALUE ? next : Math.max(0, next - nowMillis());
    }

    /// Delivers what can be delivered, and appends to the log what has changed since the last call.
    public void flush() {
        dispatcher.run();
        if (journal.failed()) {
            window.shrink(message -> {});
        } else {
            admission.trim();
            window.shrink(intake::spill);
        }
        sentAgain.instances().write(journal.batch());
        journal.flush(nowMillis());
    }

    private void onWritten(Entry written) {
        for (Entry.Mark mark : written.marks) {
            if (mark.subscription().progress().onMarkDurable(mark.below())) {
                mark.subscription().lanes().list().forEach(dispatcher::add);
            }
        }
        written.deleted.forEach(reader::reclaim);
        written.gone.forEach(reader::reclaim);
        written.stored.forEach(message -> message.readable = true);
        for (StoredMessage message : written.appended) {
            message.destination.onAppended(message);
            intake.makeAvailable(message);
        }
        written.waiting.forEach(Outcome::onDone);
        flush();
    }

    /// Another shard takes its place: who holds a destination of this one asks that one.
    public void abandon() {
        catalog.destinations().forEach(StoredDestination::onRemoved);
    }

    /// Tells when everything so far is durable.
    public void sync(Outcome outcome) {
        if (!journal.refuses(outcome)) {
            journal.sync(outcome);
        }
    }

    /// The broker stops: what is unacknowledged has come back before. So this run leaves nothing
    /// that may have been delivered without a count, unless a client still has it.
    public void settle() {
        settlement.settle(catalog.subscriptions());
    }

    /// Counts of what has happened to messages of destinations that are gone.
    public Counts formerCounts() {
        return former;
    }

    /// Messages that were put aside, because they could not be used, since the shard was opened.
    public long quarantined() {
        return intake.quarantined();
    }

    /// Bytes of messages in memory.
    public long windowBytes() {
        return window.bytes();
    }

    /// Reason why the log takes no more, if that is so.
    public Optional<LogException> failure() {
        return journal.failure();
    }
}
