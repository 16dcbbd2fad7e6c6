package winnow.broker.session;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Destination;
import winnow.broker.destination.Queue;
import winnow.broker.destination.Temporaries;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SelectorFilter;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.shard.MessageFilter;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.shard.SubscriptionName;
import winnow.broker.storage.StoredSession;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorMemory;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.frame.Ask;
import winnow.wire.frame.Consume;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.GiveBack;

/// The consumers of one connection's sessions. Owned by the connection's event loop.
///
/// One is made in three steps: its selector is parsed by [SelectorParsing], the storage attaches
/// it, the connection's loop answers.
final class StoredConsumers {
    private static final int CONSUMERS_PER_STEP = 32;

    private final SessionContext context;
    private final Output output;
    private final MetadataAccount account;
    private final StorageCommands commands;
    private final StoredDeliveries deliveries;
    private final SubscriptionLimits limits;
    private final ById<Entry> entries = new ById<>();
    private IntPredicate usedElsewhere = id -> false;
    private long connectionId;
    private String clientId = "";
    private Predicate<StoredSubscription> seen = _ -> false;
    private volatile boolean closed;

    private static final class Entry {
        final SessionChannel session;
        final Destination destination;
        final SubscriptionFilter filter;
        final List<Need> needs;
        long chargedBytes;
        boolean attached;
        boolean released;

        /// Came before it was attached.
        @Nullable EndConsumer pendingEnd;

        Entry(
                SessionChannel session,
                Destination destination,
                SubscriptionFilter filter,
                List<Need> needs,
                long chargedBytes) {
            this.needs = needs;
            this.session = session;
            this.destination = destination;
            this.filter = filter;
            this.chargedBytes = chargedBytes;
        }
    }

    StoredConsumers(
            SessionContext context,
            Output output,
            MetadataAccount account,
            StorageCommands commands,
            StoredDeliveries deliveries,
            SubscriptionLimits limits) {
        this.limits = limits;
        this.context = context;
        this.output = output;
        this.account = account;
        this.commands = commands;
        this.deliveries = deliveries;
    }

    /// @param newSeen tells which named subscriptions the user may see; asked by any thread
    void identify(long newConnectionId, String newClientId, Predicate<StoredSubscription> newSeen) {
        seen = newSeen;
        connectionId = newConnectionId;
        clientId = newClientId;
    }

    /// Tells which ids live subscriptions have.
    void usedElsewhere(IntPredicate used) {
        usedElsewhere = used;
    }

    int count() {
        return entries.size();
    }

    boolean has(int id) {
        return entries.get(id) != null;
    }

    /// @throws RefusedException if the user may not have a consumer any more
    void check(ConnectionAccess access) {
        entries.forEach(entry -> entry.needs.forEach(access::keep));
    }

    void onConsume(Consume request, SessionChannel session) {
        int id = request.consumer();
        ById.checkId("consumer", id);
        if (has(id) || usedElsewhere.test(id)) {
            throw new RefusedException(ErrorCode.DUPLICATE_ID, "consumer " + id + " is in use");
        }
        checkRole(request);
        SubscriptionFilter filter =
                new SubscriptionFilter(
                        request.source().selector(), request.source().correlationIdFilter());
        limits.check(filter);
        long bytes = MetadataAccount.SUBSCRIPTION_BYTES + 2L * filter.characters();
        Entry entry =
                new Entry(session, acquire(request, bytes), filter, FrameNeeds.of(request), bytes);
        entries.add(id, entry);
        limits.add(filter);
        context.counters().subscriptions.incrementAndGet();
        if (filter.isEmpty()) {
            attach(request, entry, null);
        } else {
            parse(request, entry);
        }
    }

    private void checkRole(Consume request) {
        ConsumerRole role = request.role();
        DestinationKind kind = request.source().kind();
        if (role.isQueue() != (kind == DestinationKind.QUEUE)) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "a consumer in the role " + role + " cannot take from a " + kind);
        }
        if (role.isQueue() != request.subscription().isEmpty()) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "expected the name of a subscription for a topic, and none for a queue");
        }
        if (role.isDurable() && Temporaries.isTemporary(request.source().destination())) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "a temporary topic has no durable subscriptions: it ends with its connection");
        }
        if (role == ConsumerRole.DURABLE && clientId.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.NOT_SUPPORTED,
                    "a durable subscription that is not shared needs a client identifier");
        }
        checkName(request.subscription());
    }

    private void checkName(String subscription) {
        if (subscription.length() > context.destinations().maxNameBytes()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "expected the name of a subscription of at most "
                            + context.destinations().maxNameBytes()
                            + " characters (destination.max-name-bytes), found "
                            + subscription.length());
        }
    }

    private Destination acquire(Consume request, long bytes) {
        DestinationKind kind = request.source().kind();
        String name = request.source().destination();
        context.destinations().checkConsumer(kind, name, connectionId);
        account.charge(bytes);
        try {
            return account.acquire(kind, name);
        } catch (RuntimeException | Error e) {
            account.giveBack(bytes);
            throw e;
        }
    }

    private void parse(Consume request, Entry entry) {
        try {
            context.selectors()
                    .parse(
                            entry.filter,
                            () -> !closed,
                            selector -> attachParsed(request, entry, selector),
                            refused -> execute(() -> undo(request, entry, refused)));
        } catch (RefusedException e) {
            undo(request, entry, e);
        }
    }

    /// On the parsing thread: the parsed form is charged before it is kept.
    private void attachParsed(Consume request, Entry entry, @Nullable Selector selector) {
        if (selector != null) {
            long bytes = SelectorMemory.bytes(selector);
            account.charge(bytes);
            execute(() -> {
                if (entry.released) {
                    account.giveBack(bytes);
                } else {
                    entry.chargedBytes += bytes;
                }
            });
        }
        attach(request, entry, selector);
    }

    /// Runs a command of this connection on its loop. Any thread.
    private void execute(Runnable command) {
        output.loop().execute(output, command);
    }

    /// Any thread.
    private void attach(Consume request, Entry entry, @Nullable Selector selector) {
        switch (entry.destination) {
            case Queue queue -> {
                MessageFilter filter =
                        selector == null
                                ? null
                                : new SelectorFilter(entry.filter, selector, context.names());
                storage(shard -> attach(shard, request, entry, queue, filter));
            }
            case Topic topic -> {
                Selector prepared = selector == null ? null : topic.prepared(selector);
                storage(shard -> join(shard, request, entry, prepared));
            }
        }
    }

    private void storage(java.util.function.Consumer<Shard> command) {
        context.storage().execute(output.loop(), output, command);
    }

    /// On the storage's thread.
    private void attach(
            Shard shard,
            Consume request,
            Entry entry,
            Queue queue,
            @Nullable MessageFilter filter) {
        StoredSession session = entry.session.stored();
        StoredDestination destination = queue.stored().in(shard);
        if (session.ended()) {
            refuseEnded(request, entry);
            return;
        }
        if (destination == null) {
            RefusedException gone =
                    new RefusedException(
                            ErrorCode.INVALID_DESTINATION,
                            "the temporary destination '" + queue.name() + "' does not exist");
            commands.reply(() -> undo(request, entry, gone));
        } else if (request.role() == ConsumerRole.BROWSER) {
            session.browse(request.consumer(), destination.queue(), filter);
            accept(request, entry, session);
        } else {
            session.attach(request.consumer(), destination.queue(), filter, ended -> {});
            accept(request, entry, session);
        }
    }

    /// The session has ended before the consumer was attached. On the storage's thread.
    private void refuseEnded(Consume request, Entry entry) {
        RefusedException ended =
                new RefusedException(
                        ErrorCode.UNKNOWN_SESSION, "session " + request.session() + " has ended");
        commands.reply(() -> undo(request, entry, ended));
    }

    /// On the storage's thread.
    private void join(Shard shard, Consume request, Entry entry, @Nullable Selector selector) {
        StoredSession session = entry.session.stored();
        if (session.ended()) {
            refuseEnded(request, entry);
            return;
        }
        NamedSubscriptions named = context.named();
        SubscriptionName name =
                new SubscriptionName(
                        clientId,
                        request.subscription(),
                        request.role() != ConsumerRole.DURABLE,
                        request.role().isDurable(),
                        request.noLocal(),
                        entry.filter.selector(),
                        entry.filter.correlationIdFilter());
        named.join(
                shard,
                new NamedSubscriptions.Wish(
                        entry.destination.name(), name, selector, account.owner(), seen),
                joined -> onJoined(shard, request, entry, joined),
                refused -> commands.reply(() -> undo(request, entry, refused)));
    }

    private void onJoined(Shard shard, Consume request, Entry entry, StoredSubscription joined) {
        NamedSubscriptions named = context.named();
        StoredSession session = entry.session.stored();
        if (session.ended()) {
            named.leave(shard, joined);
            refuseEnded(request, entry);
            return;
        }
        session.attach(request.consumer(), joined, null, ended -> named.leave(shard, ended));
        accept(request, entry, session);
    }

    private void accept(Consume request, Entry entry, StoredSession session) {
        commands.reply(() -> onAttached(request, entry));
        session.onCredit(request.consumer(), request.creditMessages(), request.creditBytes());
    }

    private void onAttached(Consume request, Entry entry) {
        entry.attached = true;
        commands.accept(request.requestId());
        EndConsumer pendingEnd = entry.pendingEnd;
        if (pendingEnd != null) {
            removeEntry(request.consumer(), entry);
            end(entry, pendingEnd);
        }
    }

    private void undo(Consume request, Entry entry, RefusedException refused) {
        if (closed) {
            // What it held is given back by close.
            return;
        }
        removeEntry(request.consumer(), entry);
        release(entry);
        commands.refuse(request.requestId(), refused);
        EndConsumer pendingEnd = entry.pendingEnd;
        if (pendingEnd != null) {
            commands.refuse(pendingEnd.requestId(), unknown(pendingEnd.consumer()));
        }
    }

    /// Unless its session has ended, and the number is used again.
    private void removeEntry(int id, Entry entry) {
        if (entry.equals(entries.get(id))) {
            entries.remove(id);
        }
    }

    private static RefusedException unknown(int consumer) {
        return new RefusedException(
                ErrorCode.UNKNOWN_SUBSCRIPTION, "consumer " + consumer + " does not exist");
    }

    void onEnd(EndConsumer request) {
        Entry entry = entry(request.consumer());
        if (entry.attached) {
            entries.remove(request.consumer());
            end(entry, request);
        } else if (entry.pendingEnd == null) {
            // Its number stays in use until then: another consumer with it would be attached first.
            entry.pendingEnd = request;
        } else {
            throw unknown(request.consumer());
        }
    }

    private void end(Entry entry, EndConsumer request) {
        release(entry);
        commands.execute(
                request.seen().bytes(),
                shard -> {
                    entry.session.stored().endConsumer(request.consumer(), request.seen());
                    commands.reply(() -> {
                        deliveries.discard(entry.session.number(), request.consumer());
                        commands.accept(request.requestId());
                    });
                });
    }

    private Entry entry(int consumer) {
        Entry found = entries.get(consumer);
        if (found == null) {
            throw unknown(consumer);
        }
        return found;
    }

    void onAsk(Ask ask) {
        Entry entry = entry(ask.consumer());
        commands.execute(shard -> {
            String limit = entry.session.stored().ask(ask.consumer());
            commands.reply(() -> {
                if (limit == null) {
                    commands.accept(ask.requestId());
                } else {
                    commands.refuse(
                            ask.requestId(), new RefusedException(ErrorCode.LIMIT_EXCEEDED, limit));
                }
            });
        });
    }

    void onGiveBack(GiveBack request) {
        Entry entry = entry(request.consumer());
        commands.execute(
                request.seen().bytes(),
                shard -> {
                    entry.session.stored().giveBack(request.consumer(), request.seen());
                    commands.reply(() -> {
                        deliveries.discard(entry.session.number(), request.consumer());
                        commands.accept(request.requestId());
                    });
                });
    }

    private void release(Entry entry) {
        if (entry.released) {
            return;
        }
        entry.released = true;
        limits.remove(entry.filter);
        context.counters().subscriptions.decrementAndGet();
        account.release(entry.destination);
        account.giveBack(entry.chargedBytes);
    }

    /// A session has ended, and its consumers with it.
    void release(SessionChannel session) {
        for (Entry entry : entries.removeWhere(one -> one.session.equals(session))) {
            release(entry);
        }
    }

    /// More credit from the client.
    ///
    /// @return false if there is no such consumer
    boolean onCredit(int id, int messages, int bytes) {
        Entry entry = entries.get(id);
        if (entry == null) {
            return false;
        }
        commands.execute(shard -> entry.session.stored().onCredit(id, messages, bytes));
        return true;
    }

    void onDelete(DeleteSubscription request) {
        checkName(request.subscription());
        int bytes = 2 * request.subscription().length();
        commands.execute(
                bytes,
                shard -> {
                    try {
                        context.named()
                                .delete(
                                        shard,
                                        clientId,
                                        request.subscription(),
                                        seen,
                                        commands.answering(request.requestId()));
                    } catch (RefusedException e) {
                        commands.reply(() -> commands.refuse(request.requestId(), e));
                    }
                });
    }

    /// The connection has gone; what its consumers held is given back in steps.
    void close() {
        closed = true;
        List<Entry> all = entries.removeAll();
        Iterator<Entry> closing = all.iterator();
        if (closing.hasNext()) {
            context.destinations().work(output.loop()).add(() -> releaseSome(closing));
        }
    }

    private boolean releaseSome(Iterator<Entry> closing) {
        for (int i = 0; i < CONSUMERS_PER_STEP && closing.hasNext(); i++) {
            release(closing.next());
        }
        return closing.hasNext();
    }
}
