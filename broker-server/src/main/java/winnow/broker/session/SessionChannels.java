package winnow.broker.session;

import java.util.function.Consumer;
import java.util.function.Supplier;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Destination;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SlicedWork;
import winnow.broker.permission.Permission;
import winnow.broker.routing.MatchQueue;
import winnow.broker.session.StoredDeliveries.Delivery;
import winnow.broker.shard.Outcome;
import winnow.broker.storage.Flight;
import winnow.broker.storage.SessionTarget;
import winnow.broker.subscription.Loop;
import winnow.store.Durability;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.Ask;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.BrowseEnd;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.Decide;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.DeleteTemporary;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.GiveBack;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Mark;
import winnow.wire.frame.Prepared;
import winnow.wire.frame.Recall;
import winnow.wire.frame.Recover;
import winnow.wire.frame.Reject;
import winnow.wire.frame.SessionFrame;

/// The sessions of one connection, and what they acknowledge. Owned by the connection's event loop;
/// what it asks of the storage runs on the storage's thread.
final class SessionChannels implements SessionTarget {
    /// Of a session, on both threads.
    private static final long SESSION_BYTES = 1024;

    private final SessionContext context;
    private final Output output;
    private final MetadataAccount account;
    private final StorageCommands commands;
    private final MatchQueue matches;
    private final SessionTransactions transactions;
    private final SessionBranches branches;
    private final Consumer<String> lost;
    private final Flight flight;
    private final HeldRequest held;
    private final StoredDeliveries deliveries;
    private final BodyDeliveries bodies;
    private final SubscriptionLimits limits;
    private final StoredConsumers consumers;
    private final TemporaryDestinations temporaries;
    private final ById<SessionChannel> sessions = new ById<>();
    private boolean recalls;

    /// @param touched called when something was routed outside of a read
    /// @param lost closes the connection, because its sessions are lost, for a reason
    SessionChannels(
            SessionContext context,
            Output output,
            MetadataAccount account,
            ReadingPauses pauses,
            Runnable touched,
            Consumer<String> lost) {
        this.lost = lost;
        this.context = context;
        this.output = output;
        this.account = account;
        this.flight = new Flight(context.flights(), account::owner);
        this.commands = new StorageCommands(context, output, account, pauses);
        this.held = new HeldRequest(commands, pauses);
        SlicedWork work = context.destinations().work(output.loop());
        this.matches = new MatchQueue(work, output.loop().router(), output, pauses);
        this.transactions = new SessionTransactions(context, output, commands, matches, touched);
        this.branches = new SessionBranches(context, output, commands, transactions);
        this.limits = new SubscriptionLimits(context);
        this.deliveries = new StoredDeliveries(output, flight, context.storage());
        this.consumers =
                new StoredConsumers(context, output, account, commands, deliveries, limits);
        this.bodies = new BodyDeliveries(commands, deliveries, flight);
        this.temporaries = new TemporaryDestinations(context, account, commands);
    }

    @Override
    public Loop loop() {
        return output.loop();
    }

    @Override
    public Flight flight() {
        return flight;
    }

    @Override
    public void onFault(Throwable fault) {
        output.onFault(fault);
    }

    /// The handshake is done.
    void identify(long connectionId, String clientId, ConnectionAccess access) {
        branches.identify(access::decidesOnlyOf);
        consumers.identify(connectionId, clientId, access::sees);
        temporaries.identify(connectionId);
    }

    /// Tells whether the client understands [Recall].
    void recalls(boolean newRecalls) {
        recalls = newRecalls;
    }

    /// Counts of the connection's consumers, those without a session included.
    SubscriptionLimits limits() {
        return limits;
    }

    /// Matches what the connection publishes, and what it commits.
    MatchQueue matches() {
        return matches;
    }

    /// True while what was published or is to be committed is not all matched, or there is no
    /// memory for the next frame. Any thread.
    boolean isBusy() {
        return matches.isBusy() || held.isHolding() || commands.isOverfull();
    }

    /// Keeps a request for later for which there is no memory now; then nothing more is read.
    ///
    /// @return false if it is to be carried out now
    boolean hold(long heapBytes, Supplier<Runnable> request) {
        return held.hold(heapBytes, request);
    }

    /// A request that waits for memory is looked at again.
    void onTick() {
        held.tryAgain();
    }

    /// Checks what the connection has after permissions were read again.
    ///
    /// @throws RefusedException if it may not have it any more
    void check(ConnectionAccess access) {
        if (!temporaries.isEmpty()) {
            access.keep(Need.of(Permission.TEMPORARY));
        }
        sessions.forEach(
                one -> one.destinations().forEach(to -> access.keep(Need.of(Permission.SEND, to))));
        consumers.check(access);
    }

    /// Brings messages in parts to the subscriptions without a session.
    BodyDeliveries bodies() {
        return bodies;
    }

    /// Requests of the connection to the storage.
    StorageCommands commands() {
        return commands;
    }

    /// The consumers of these sessions.
    StoredConsumers consumers() {
        return consumers;
    }

    /// Carries a request out, or begins to.
    ///
    /// @throws RefusedException if it cannot be carried out
    /// @throws WireException if no client may send it
    void onFrame(SessionFrame frame) {
        switch (frame) {
            case BeginSession begin -> onBegin(begin);
            case EndSession end -> onEnd(end);
            case Consume consume -> consumers.onConsume(consume, session(consume.session()));
            case EndConsumer end -> consumers.onEnd(end);
            case Acknowledge acknowledge -> onAcknowledge(acknowledge);
            case Recover recover -> onRecover(recover);
            case Commit commit -> transactions.commit(session(commit.session()), commit);
            case AskCommit ask -> transactions.ask(ask);
            case DeleteSubscription delete -> consumers.onDelete(delete);
            case CreateTemporary create -> temporaries.onCreate(create);
            case DeleteTemporary delete -> temporaries.onDelete(delete);
            case EndBranch end -> branches.end(end, this::session);
            case Decide decision -> branches.decide(decision);
            case ListPrepared list -> branches.list(list);
            case Mark mark -> onMark(mark);
            case Ask ask -> consumers.onAsk(ask);
            case GiveBack giveBack -> consumers.onGiveBack(giveBack);
            case Reject reject -> onReject(reject);
            case BrowseEnd _, Prepared _, Recall _ ->
                    throw new WireException(
                            ErrorCode.UNEXPECTED_FRAME,
                            "expected a request, found " + frame.getClass().getSimpleName());
        }
    }

    /// By which a refusal of the frame is answered, 0 if it is not.
    static int requestId(SessionFrame frame) {
        return switch (frame) {
            case BeginSession one -> one.requestId();
            case EndSession one -> one.requestId();
            case Consume one -> one.requestId();
            case EndConsumer one -> one.requestId();
            case Acknowledge one -> one.requestId();
            case Recover one -> one.requestId();
            case Commit one -> one.requestId();
            case AskCommit one -> one.requestId();
            case DeleteSubscription one -> one.requestId();
            case CreateTemporary one -> one.requestId();
            case DeleteTemporary one -> one.requestId();
            case EndBranch one -> one.requestId();
            case Decide one -> one.requestId();
            case ListPrepared one -> one.requestId();
            case Ask one -> one.requestId();
            case GiveBack one -> one.requestId();
            case BrowseEnd _, Prepared _, Mark _, Reject _, Recall _ -> 0;
        };
    }

    private SessionChannel session(int number) {
        SessionChannel found = sessions.get(number);
        if (found == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_SESSION, "session " + number + " does not exist");
        }
        return found;
    }

    private void onBegin(BeginSession begin) {
        int number = begin.session();
        ById.checkId("session", number);
        if (sessions.get(number) != null) {
            throw new RefusedException(ErrorCode.DUPLICATE_ID, "session " + number + " is in use");
        }
        if (sessions.size() >= context.config().maxSessions()) {
            throw ConnectionLimit.exceeded(
                    "sessions that acknowledge",
                    "session.max-sessions",
                    context.config().maxSessions(),
                    sessions.size() + 1L);
        }
        account.charge(SESSION_BYTES);
        SessionChannel made =
                new SessionChannel(
                        number, begin.transacted(), context.transactions(), account.owner());
        sessions.add(number, made);
        commands.execute(shard -> made.stored = context.storage().begin(this, number));
        commands.accept(begin.requestId());
    }

    private void onEnd(EndSession end) {
        SessionChannel ending = session(end.session());
        sessions.remove(end.session());
        forget(ending);
        consumers.release(ending);
        commands.execute(
                end.seen().bytes(),
                shard -> {
                    ending.stored().end(end.seen());
                    commands.reply(() -> {
                        deliveries.discard(ending.number());
                        commands.accept(end.requestId());
                    });
                });
    }

    /// Forgets what has not been committed, and the session's charge.
    private void forget(SessionChannel ending) {
        transactions.forget(ending);
        account.giveBack(SESSION_BYTES);
    }

    private void onAcknowledge(Acknowledge acknowledge) {
        SessionChannel session = session(acknowledge.session());
        int requestId = acknowledge.requestId();
        if (requestId == 0) {
            commands.execute(
                    acknowledge.deliveries().bytes(),
                    shard ->
                            session.stored()
                                    .acknowledge(
                                            acknowledge.deliveries(),
                                            Durability.WRITTEN,
                                            Outcome.IGNORED));
        } else {
            Outcome outcome = commands.answering(requestId);
            // Without any it asks only whether all has come that can be delivered.
            Durability least =
                    acknowledge.deliveries().isEmpty() ? Durability.WRITTEN : Durability.SYNCED;
            commands.execute(
                    acknowledge.deliveries().bytes(),
                    shard ->
                            session.stored().acknowledge(acknowledge.deliveries(), least, outcome));
        }
    }

    private void onMark(Mark mark) {
        SessionChannel session = session(mark.session());
        commands.execute(shard -> {
            switch (mark.fate()) {
                case SEEN -> session.stored().onSeen(mark.delivery());
                case EXPIRED -> session.stored().onExpired(mark.delivery());
            }
        });
    }

    private void onRecover(Recover recover) {
        SessionChannel session = session(recover.session());
        transactions.forget(session);
        commands.execute(
                recover.failed().bytes(),
                shard -> {
                    session.stored().recover(recover.failed());
                    commands.reply(() -> {
                        deliveries.discardVoid(session.number());
                        commands.accept(recover.requestId());
                    });
                });
    }

    private void onReject(Reject reject) {
        SessionChannel session = session(reject.session());
        commands.execute(
                reject.deliveries().bytes(),
                shard -> session.stored().giveBack(reject.deliveries()));
    }

    /// A message is published in a transaction.
    ///
    /// @param published checked and copied
    /// @throws RefusedException if it cannot become part of it; then nothing of it can be committed
    void publish(int number, Destination destination, MessageBlock published) {
        transactions.publish(session(number), destination, published);
    }

    /// The session with that number.
    ///
    /// @throws RefusedException if there is no such session, or nothing can be published in it
    SessionChannel transacted(int number) {
        SessionChannel found = session(number);
        transactions.requireTransacted(found);
        return found;
    }

    /// A message in parts, which have all come, is published in a transaction.
    ///
    /// @param head the message block up to the body, checked
    /// @throws RefusedException if it cannot become part of it; then nothing of it can be committed
    void publishInParts(
            SessionChannel session,
            Destination destination,
            byte[] head,
            int maxNameId,
            PartsPublish parts) {
        transactions.publishInParts(session, destination, head, maxNameId, parts);
    }

    /// A message of a transaction was refused, as [SessionTransactions#refuse].
    void refuse(SessionChannel session, Destination destination, RefusedException why) {
        transactions.refuse(session, destination, why);
    }

    @Override
    public void onDelivery(
            int session,
            int consumer,
            long delivery,
            int earlierDeliveries,
            byte[] message,
            int maxNameId) {
        deliveries.add(
                Delivery.of(session, consumer, message).as(delivery, earlierDeliveries, maxNameId));
    }

    @Override
    public void onDeliveryInParts(
            int session,
            int consumer,
            long delivery,
            int earlierDeliveries,
            byte[] head,
            int maxNameId,
            int bodyBytes) {
        deliveries.add(
                Delivery.inParts(session, consumer, head, bodyBytes)
                        .as(delivery, earlierDeliveries, maxNameId));
    }

    @Override
    public void onPart(int session, int consumer, byte[] part) {
        deliveries.add(Delivery.part(session, consumer, part));
    }

    @Override
    public void onCut(int session, int consumer) {
        deliveries.add(Delivery.cut(session, consumer));
    }

    @Override
    public void onRecall(int session, int consumer) {
        if (recalls) {
            deliveries.add(Delivery.recall(session, consumer));
        }
    }

    @Override
    public void onAbandoned(String why) {
        lost.accept(why);
    }

    @Override
    public void onBrowseEnd(int session, int consumer) {
        deliveries.add(Delivery.browseEnd(session, consumer));
    }

    /// The socket takes bytes again.
    void onWritable() {
        deliveries.drain();
    }

    /// The temporary destinations of the connection.
    TemporaryDestinations temporaries() {
        return temporaries;
    }

    /// Ends all sessions: the connection has gone.
    void close() {
        matches.close();
        held.close();
        commands.close();
        transactions.close();
        for (SessionChannel session : sessions.removeAll()) {
            forget(session);
            context.storage().execute(shard -> session.stored().end(null));
        }
        consumers.close();
        deliveries.close();
    }
}
