package winnow.broker.session;

import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.metrics.DropReason;
import winnow.broker.permission.Permission;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.shard.DelayedFrom;
import winnow.broker.subscription.BodyStreams;
import winnow.broker.subscription.Subscription;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorMemory;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Source;
import winnow.wire.WireException;
import winnow.wire.frame.ControlFrame;

/// The consuming side of one connection: its subscriptions and their credit. Owned by the
/// connection's event loop.
///
/// A subscription is made in three steps on three threads: the filter is parsed by
/// [SelectorParsing], the topic's owner adds it, the connection's loop answers and gives it credit.
final class Consumers {
    private static final Logger LOG = LoggerFactory.getLogger(Consumers.class);

    /// About a microsecond each, on the owner of the topic too.
    private static final int SUBSCRIPTIONS_PER_STEP = 32;

    private final SessionContext context;
    private final Output output;
    private final SlowConsumers slow;
    private final MetadataAccount account;
    private final StoredConsumers sessions;
    private final SubscriptionLimits limits;
    private final BodyStreams bodies;
    private long connectionId;
    private final ById<Entry> entries = new ById<>();

    /// Subscriptions, those included that are ended before they are made and have no id any more.
    private int count;

    private volatile boolean closed;

    private static final class Entry {
        final Topic topic;
        final Subscription subscription;
        final SubscriptionFilter filter;
        boolean installed;
        boolean uninstalled;

        /// Bytes that the account was charged for it, without its topic.
        long chargedBytes;

        /// Came before the subscription was installed.
        ControlFrame.@Nullable Unsubscribe pendingEnd;

        Entry(
                Topic topic,
                Subscription subscription,
                SubscriptionFilter filter,
                long chargedBytes) {
            this.chargedBytes = chargedBytes;
            this.topic = topic;
            this.subscription = subscription;
            this.filter = filter;
        }
    }

    /// @param sessions have consumers, too, which share the ids and credit frames
    /// @param bodies brings messages in parts
    /// @param disconnect closes the connection for a reason
    Consumers(
            SessionContext context,
            Output output,
            MetadataAccount account,
            StoredConsumers sessions,
            SubscriptionLimits limits,
            BodyStreams bodies,
            Consumer<String> disconnect) {
        this.bodies = bodies;
        this.limits = limits;
        this.context = context;
        this.output = output;
        this.account = account;
        this.sessions = sessions;
        this.slow =
                new SlowConsumers(context.counters(), context.backlogMemory().behind(), disconnect);
    }

    int count() {
        return count;
    }

    /// The handshake is done.
    void identify(long id) {
        connectionId = id;
    }

    /// True if a client has that subscription.
    boolean has(int id) {
        return entries.get(id) != null;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// @throws RefusedException if the user may not have a subscription any more
    void check(ConnectionAccess access) {
        entries.forEach(entry -> access.keep(Need.of(Permission.RECEIVE, entry.topic)));
    }

    void onSubscribe(ControlFrame.Subscribe request) {
        int id = request.subscriptionId();
        ById.checkId("subscription id", id);
        if (entries.get(id) != null || sessions.has(id)) {
            throw new RefusedException(
                    ErrorCode.DUPLICATE_ID, "subscription id " + id + " is in use");
        }
        Source source = request.source();
        if (source.kind() != DestinationKind.TOPIC) {
            throw new RefusedException(
                    ErrorCode.NOT_SUPPORTED,
                    "Subscribe: expected a topic; consumers of queues belong to a session");
        }
        SubscriptionFilter filter = filterOf(source);
        limits.check(filter);
        long bytes = MetadataAccount.SUBSCRIPTION_BYTES + 2L * filter.characters();
        Topic topic = acquire(source.destination(), bytes);
        Subscription subscription =
                new Subscription(
                        id,
                        output,
                        request.noLocal(),
                        slow.listener(topic),
                        context.bufferBytes(),
                        bodies);
        Entry entry = new Entry(topic, subscription, filter, bytes);
        entries.add(id, entry);
        count++;
        limits.add(filter);
        context.counters().subscriptions.incrementAndGet();
        if (filter.isEmpty()) {
            install(request, entry, null);
        } else {
            parse(request, entry);
        }
    }

    private Topic acquire(String name, long bytes) {
        account.charge(bytes);
        try {
            context.destinations().checkConsumer(DestinationKind.TOPIC, name, connectionId);
            return (Topic) account.acquire(DestinationKind.TOPIC, name);
        } catch (RuntimeException | Error e) {
            account.giveBack(bytes);
            throw e;
        }
    }

    private static SubscriptionFilter filterOf(Source source) {
        SubscriptionFilter filter =
                new SubscriptionFilter(source.selector(), source.correlationIdFilter());
        return filter.isEmpty() ? SubscriptionFilter.NONE : filter;
    }

    private void parse(ControlFrame.Subscribe request, Entry entry) {
        try {
            context.selectors()
                    .parse(
                            entry.filter,
                            () -> !closed,
                            selector -> installParsed(request, entry, selector),
                            refused -> execute(() -> undo(request, entry, refused)));
        } catch (RefusedException e) {
            undo(request, entry, e);
        }
    }

    /// On the parsing thread: the parsed form is charged before it is kept.
    private void installParsed(
            ControlFrame.Subscribe request, Entry entry, @Nullable Selector selector) {
        Selector prepared = null;
        if (selector != null) {
            long bytes = SelectorMemory.bytes(selector);
            account.charge(bytes);
            entry.chargedBytes += bytes;
            prepared = entry.topic.prepared(selector);
        }
        install(request, entry, prepared);
    }

    /// Any thread.
    private void install(ControlFrame.Subscribe request, Entry entry, @Nullable Selector selector) {
        boolean delayed = context.delayed().waitsFor(entry.topic);
        if (delayed) {
            entry.subscription.delayedFrom(DelayedFrom.NONE);
        }
        entry.topic.add(
                entry.subscription,
                entry.filter,
                selector,
                delayed
                        ? () -> beginBehindDelayed(request, entry)
                        : () -> execute(() -> onInstalled(request, entry)),
                fault -> {
                    LOG.error("{}: a subscription was not added", output, fault);
                    RefusedException refused =
                            new RefusedException(
                                    ErrorCode.INTERNAL_ERROR, "subscription: " + fault);
                    execute(() -> undo(request, entry, refused));
                });
    }

    /// Messages that wait already were sent before the subscription was made.
    private void beginBehindDelayed(ControlFrame.Subscribe request, Entry entry) {
        context.storage()
                .execute(shard -> {
                    DelayedFrom next = DelayedTopics.next(shard, entry.topic.name());
                    entry.subscription.delayedFrom(next);
                    execute(() -> onInstalled(request, entry));
                });
    }

    /// Runs a command of this connection on its loop. Any thread.
    private void execute(Runnable command) {
        output.loop().execute(output, command);
    }

    private void onInstalled(ControlFrame.Subscribe request, Entry entry) {
        entry.installed = true;
        if (closed) {
            uninstall(entry);
            return;
        }
        ControlFrame.Unsubscribe pendingEnd = entry.pendingEnd;
        if (pendingEnd != null) {
            forget(entry);
            uninstall(entry);
        }
        output.write(new ControlFrame.Accepted(request.requestId()));
        if (pendingEnd != null) {
            output.write(new ControlFrame.Accepted(pendingEnd.requestId()));
            return;
        }
        entry.subscription.onCredit(request.creditMessages(), request.creditBytes());
    }

    private void undo(ControlFrame.Subscribe request, Entry entry, RefusedException refused) {
        release(entry);
        context.counters().subscriptions.decrementAndGet();
        if (closed) {
            return;
        }
        forget(entry);
        refuse(request.requestId(), refused);
        if (entry.pendingEnd != null) {
            refuse(entry.pendingEnd.requestId(), unknown(request.subscriptionId()));
        } else {
            entries.remove(request.subscriptionId());
        }
    }

    private void refuse(int requestId, RefusedException refused) {
        context.counters().refusals.increment(refused.code());
        output.write(
                new ControlFrame.Refused(
                        requestId, refused.code().number(), String.valueOf(refused.getMessage())));
    }

    private static RefusedException unknown(int subscriptionId) {
        return new RefusedException(
                ErrorCode.UNKNOWN_SUBSCRIPTION,
                "subscription " + subscriptionId + " does not exist");
    }

    /// Frees the id at once. A subscription that is still being made is ended, and the request
    /// answered, when it has been.
    void onUnsubscribe(ControlFrame.Unsubscribe request) {
        int id = request.subscriptionId();
        Entry entry = entries.get(id);
        if (entry == null) {
            throw unknown(id);
        }
        entries.remove(id);
        end(entry.subscription);
        if (entry.installed) {
            end(entry, request);
        } else {
            entry.pendingEnd = request;
        }
    }

    private void end(Entry entry, ControlFrame.Unsubscribe request) {
        forget(entry);
        uninstall(entry);
        output.write(new ControlFrame.Accepted(request.requestId()));
    }

    private void forget(Entry entry) {
        count--;
        limits.remove(entry.filter);
    }

    private void uninstall(Entry entry) {
        entry.uninstalled = true;
        context.counters().subscriptions.decrementAndGet();
        entry.topic
                .owner()
                .execute(() -> {
                    try {
                        entry.topic.remove(entry.subscription);
                    } finally {
                        release(entry);
                    }
                });
    }

    private void release(Entry entry) {
        account.release(entry.topic);
        account.giveBack(entry.chargedBytes);
    }

    /// Gives a subscription, or a consumer of a session, credit.
    void onCredit(int id, int messages, int bytes) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.subscription.onCredit(messages, bytes);
        } else if (!sessions.onCredit(id, messages, bytes)
                && (id < 1 || id > winnow.wire.Protocol.MAX_ID)) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "ConsumerCredit: expected a subscription id, found " + id);
        }
    }

    void onWritable() {
        entries.forEach(entry -> entry.subscription.onWritable());
    }

    /// Called every [ClientConnection#TICK_MILLIS].
    void onTick() {
        slow.onTick();
    }

    /// Bytes that wait for the client's credit or for the socket.
    long backlogBytes() {
        long[] bytes = {0};
        entries.forEach(entry -> bytes[0] += entry.subscription.backlogBytes());
        return bytes[0];
    }

    /// The subscriptions take no more messages from now on; their topics forget them in steps.
    void close() {
        closed = true;
        entries.forEach(entry -> end(entry.subscription));
        Iterator<Entry> closing = entries.removeAll().iterator();
        if (closing.hasNext()) {
            context.destinations().work(output.loop()).add(() -> uninstallSome(closing));
        }
    }

    private void end(Subscription subscription) {
        context.counters()
                .dropped
                .add(DropReason.SUBSCRIPTION_CLOSED, subscription.backlogMessages());
        subscription.close();
    }

    private boolean uninstallSome(Iterator<Entry> closing) {
        for (int i = 0; i < SUBSCRIPTIONS_PER_STEP && closing.hasNext(); i++) {
            Entry entry = closing.next();
            if (entry.installed && !entry.uninstalled) {
                uninstall(entry);
            }
        }
        return closing.hasNext();
    }
}
