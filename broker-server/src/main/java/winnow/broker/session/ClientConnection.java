package winnow.broker.session;

import java.util.function.Supplier;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.fault.FaultOwner;
import winnow.broker.matching.RefusedException;
import winnow.broker.security.Authenticator;
import winnow.broker.shard.PublishedNumbers;
import winnow.broker.subscription.Loop;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.frame.CancelParts;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.SessionFrame;

/// One client, whatever its protocol: takes its messages and requests in order and answers them.
/// Owned by its event loop.
public final class ClientConnection implements FaultOwner {
    /// Interval of the calls of [#onTick], in milliseconds.
    public static final int TICK_MILLIS = 500;

    private final SessionContext context;
    private final Output output;
    private final ConnectionLog log;
    private final MetadataAccount account;
    private final Handshake handshake;
    private final InstanceSeat seat;
    private final Producers producers;
    private final PartsProducers parts;
    private final Consumers consumers;
    private final SessionChannels sessions;
    private final Liveness liveness;
    private final ReadTurns turns;
    private final ClientMessages messages;
    private State state = State.EXPECTING_HELLO;
    private final ClientIdentity identity;
    private int askedName;
    private int requests;

    private final ClientAbilities abilities = new ClientAbilities();
    private final ConnectionAccess access;

    /// Goodbye came while the storage had messages of this client.
    private boolean leaving;

    /// The client has said Goodbye in order.
    private boolean orderly;

    /// The broker has said why the client should not come back.
    private boolean unwanted;

    private enum State {
        EXPECTING_HELLO,
        AUTHENTICATING,
        OPEN,
        CLOSED
    }

    public ClientConnection(SessionContext context, Output output) {
        this.context = context;
        this.output = output;
        this.log = new ConnectionLog(output);
        this.handshake = new Handshake(context, this);
        this.seat = new InstanceSeat(context, this);
        this.account = new MetadataAccount(context.metadata(), context.destinations());
        this.access = new ConnectionAccess(context, output);
        this.identity = new ClientIdentity(context, output, account, access);
        ReadingPauses pauses = new ReadingPauses(output);
        Runnable touched = () -> output.loop().touch(this);
        this.sessions =
                new SessionChannels(
                        context,
                        output,
                        account,
                        pauses,
                        touched,
                        reason -> goodbye(ErrorCode.STORE_UNAVAILABLE, reason));
        this.producers =
                new Producers(context, output, account, identity, pauses, sessions, touched);
        this.parts = new PartsProducers(context, output, account, producers, sessions);
        this.turns = new ReadTurns(context.destinations().work(output.loop()), output, pauses);
        this.consumers =
                new Consumers(
                        context,
                        output,
                        account,
                        sessions.consumers(),
                        sessions.limits(),
                        sessions.bodies(),
                        reason -> goodbye(ErrorCode.LIMIT_EXCEEDED, reason));
        sessions.consumers().usedElsewhere(consumers::has);
        this.messages = new ClientMessages(producers, parts, consumers, sessions, turns, touched);
        this.liveness =
                new Liveness(
                        output,
                        () -> context.config().unreadTimeout().toMillis(),
                        () -> identity.proven().hasEnded(context.wallMillis().getAsLong()),
                        this::goodbye);
        context.connections().add(this);
    }

    /// True if the client has logged in.
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /// True if the client may send and get messages in parts.
    public boolean hasParts() {
        return abilities.parts();
    }

    /// Carries out a request, or begins to. Does nothing when the connection is closed.
    ///
    /// @throws WireException if it is not expected now
    public void request(ControlFrame request) {
        assert loop().inLoop();
        if (state != State.CLOSED) {
            requests++;
            onControl(request);
            if (state == State.OPEN) {
                messages.onRouted();
            }
        }
    }

    /// Keeps a request for which there is no memory now, and reads nothing behind it.
    ///
    /// @param heapBytes the most that it can take of the heap when it is decoded
    /// @param request keeps its bytes and gives what decodes it and calls [#request]; not called if
    ///   there is room
    /// @return false if it is to be decoded now
    public boolean hold(long heapBytes, Supplier<Runnable> request) {
        return state != State.CLOSED && sessions.hold(heapBytes, request);
    }

    /// Requests that came since the last call.
    public int takeRequests() {
        int taken = requests;
        requests = 0;
        return taken;
    }

    /// True if what came last is not done with: until it is, nothing else may come.
    public boolean isBusy() {
        return messages.isMatching() || turns.isWaiting();
    }

    /// True if messages have been read that are not routed yet, because that takes long. Any
    /// thread.
    public boolean isRouting() {
        return messages.isMatching() || turns.isUnfinished();
    }

    /// Messages and credit of the client.
    public ClientMessages messages() {
        return messages;
    }

    /// All that came with one read has been given to this connection.
    public void onReadEnd() {
        output.loop().router().onReadEnd();
        producers.onDelivered(!messages.consumes());
    }

    private void onControl(ControlFrame control) {
        switch (control) {
            case ControlFrame.Hello hello when state == State.EXPECTING_HELLO -> {
                state = State.AUTHENTICATING;
                abilities.onHello(hello.capabilities());
                sessions.recalls(abilities.recalls());
                handshake.onHello(hello);
            }
            case ControlFrame.Response response when state == State.AUTHENTICATING ->
                    handshake.onResponse(response);
            case ControlFrame.Heartbeat _ when state == State.OPEN -> {}
            case ControlFrame.Goodbye goodbye -> onGoodbye(goodbye);
            case ControlFrame.Open open when state == State.OPEN ->
                    answer(
                            open.requestId(),
                            open,
                            () -> {
                                abilities.check(open.kind());
                                producers.onOpen(open);
                                output.write(new ControlFrame.Accepted(open.requestId()));
                                producers.onOpened(open.handle());
                            });
            case ControlFrame.Release release when state == State.OPEN -> {
                parts.onRelease(release.handle());
                producers.onRelease(release.handle());
            }
            case CancelParts cancel when state == State.OPEN && abilities.parts() ->
                    parts.onCancel(cancel.handle());
            case ControlFrame.Subscribe subscribe when state == State.OPEN ->
                    answer(
                            subscribe.requestId(),
                            subscribe,
                            () -> consumers.onSubscribe(subscribe));
            case ControlFrame.Unsubscribe unsubscribe when state == State.OPEN ->
                    answer(
                            unsubscribe.requestId(),
                            unsubscribe,
                            () -> consumers.onUnsubscribe(unsubscribe));
            case SessionFrame frame
                    when state == State.OPEN && abilities.knows(frame, seat.isTaken()) ->
                    answer(SessionChannels.requestId(frame), frame, () -> sessions.onFrame(frame));
            case ControlFrame.Intern intern when state == State.OPEN -> onIntern(intern.name());
            default ->
                    throw new WireException(
                            ErrorCode.UNEXPECTED_FRAME,
                            "expected "
                                    + expectation()
                                    + ", found "
                                    + control.getClass().getSimpleName());
        }
    }

    /// Confirms what was read before it, because the client waits for that: where the storage has
    /// messages, when it has answered.
    private void onGoodbye(ControlFrame.Goodbye goodbye) {
        // With another code the client gives this connection up, and may come back.
        orderly = goodbye.code() == ErrorCode.NONE.number();
        if (state == State.OPEN) {
            output.loop().router().deliver();
            output.loop().router().endBatch();
            producers.confirmations().confirm();
            if (producers.confirmations().waiting()) {
                leaving = true;
                return;
            }
        }
        onDisconnected();
        output.closeAfterFlush();
    }

    private String expectation() {
        return switch (state) {
            case EXPECTING_HELLO -> "Hello";
            case AUTHENTICATING -> "no frame but Response before Welcome";
            case OPEN, CLOSED -> "a request";
        };
    }

    private void answer(int requestId, ControlFrame frame, Runnable request) {
        try {
            access.check(frame);
            request.run();
        } catch (RefusedException e) {
            context.counters().refusals.increment(e.code());
            log.onRefused(e);
            output.write(
                    new ControlFrame.Refused(
                            requestId, e.code().number(), String.valueOf(e.getMessage())));
        }
    }

    private void onIntern(String name) {
        Integer id = context.names().intern(name, identity.owner());
        if (id != null) {
            askedName = Math.max(askedName, id);
            output.announceNames(askedName);
        }
    }

    /// @param user whom the names count for that the client brings
    /// @param before what was taken of what the client published on earlier connections
    void onAccepted(
            String clientId, String user, ControlFrame.Welcome welcome, PublishedNumbers before) {
        identity.accept(welcome.connectionId(), clientId, user);
        access.accept(welcome.connectionId());
        state = State.OPEN;
        sessions.identify(welcome.connectionId(), clientId, access);
        consumers.identify(welcome.connectionId());
        seat.restore(sessions.temporaries(), producers, before, access.allowsTemporaries());
        liveness.begin(welcome.heartbeatMillis());
        output.input().maxFrameBytes(welcome.maxFrameBytes());
        output.write(welcome);
        log.onConnected();
    }

    /// Everything that was read in this iteration has been routed and handed over.
    public void onBatchEnd() {
        if (state == State.OPEN) {
            producers.onBatchEnd();
            if (leaving && !producers.confirmations().waiting()) {
                onDisconnected();
                output.closeAfterFlush();
            }
        }
    }

    /// The socket takes bytes again.
    public void onWritable() {
        if (state == State.CLOSED) {
            return;
        }
        output.announceNames(askedName);
        consumers.onWritable();
        sessions.onWritable();
    }

    /// The socket may hold so many bytes that the client has not read.
    public void limitOutput(int bytes) {
        output.limitBytes(bytes);
    }

    /// Called every [#TICK_MILLIS]: sends a heartbeat if the broker was quiet, gives the connection
    /// up if the client was.
    public void onTick() {
        if (state == State.OPEN) {
            consumers.onTick();
            sessions.onTick();
        }
        if (state == State.OPEN && output.input().keepsWantedRoom()) {
            producers.letFrameIn();
        }
        if (state == State.OPEN) {
            liveness.onTick();
        }
    }

    /// The handshake has taken too long.
    public void onHandshakeTimeout() {
        if (state == State.EXPECTING_HELLO) {
            goodbye(ErrorCode.HANDSHAKE_TIMEOUT, "expected Hello in time, found none");
        } else if (state == State.AUTHENTICATING) {
            goodbye(ErrorCode.HANDSHAKE_TIMEOUT, handshake.whyLate());
        }
    }

    /// The client broke the protocol.
    public void onProtocolError(WireException error) {
        context.counters().protocolErrors.increment();
        goodbye(error.code(), String.valueOf(error.getMessage()));
    }

    /// A fault of the broker in what it does for this client: closes the connection, and tells the
    /// client if that is still possible.
    @Override
    public void onFault(Throwable fault) {
        boolean told = false;
        try {
            goodbye(ErrorCode.INTERNAL_ERROR, "a fault of the broker; see its log");
            told = true;
        } finally {
            if (!told) {
                output.closeNow();
            }
        }
    }

    /// Says why, then closes.
    public void goodbye(ErrorCode code, String message) {
        if (state == State.CLOSED) {
            return;
        }
        context.counters().closed.increment(code);
        log.onClosing(code, message);
        unwanted = !InstanceSeat.MAY_RETURN.contains(code);
        onDisconnected();
        output.write(new ControlFrame.Goodbye(code.number(), message));
        output.closeAfterFlush();
    }

    /// The client has gone without a goodbye.
    ///
    /// @param why what the socket says
    public void onLost(String why) {
        if (state == State.OPEN) {
            log.onLost(why);
        }
        onDisconnected();
    }

    /// Nothing more will be read: what came before is routed.
    public void onInputEnd() {
        loop().faults().run(turns::end);
        loop().faults().run(producers::onInputEnd);
    }

    /// The connection has gone: frees everything it holds. May be called more than once.
    public void onDisconnected() {
        if (state == State.CLOSED) {
            return;
        }
        State before = state;
        state = State.CLOSED;
        context.connections().remove(this);
        FaultBarrier faults = loop().faults();
        faults.run(handshake::onDisconnected);
        faults.run(consumers::close);
        faults.run(parts::close);
        faults.run(sessions::close);
        faults.run(producers::close);
        turns.close();
        boolean mayReturn = before == State.OPEN && !orderly && !unwanted && seat.keeps();
        AwayClient left = mayReturn ? identity.leave(sessions.temporaries(), log) : null;
        if (left == null) {
            sessions.temporaries().leave().end();
            identity.release();
        }
        seat.leave(left, orderly);
    }

    /// The client has come back on another connection.
    void onDisplaced() {
        if (state != State.CLOSED) {
            log.onLost("its client has come back on another connection");
            onDisconnected();
            output.closeNow();
        }
    }

    /// Permissions were read again: ends a connection that has something which they do not allow.
    void onPermissions() {
        try {
            access.refresh();
            sessions.check(access);
            producers.check(access);
            consumers.check(access);
        } catch (RefusedException e) {
            goodbye(e.code(), String.valueOf(e.getMessage()));
        }
    }

    ConnectionAccess access() {
        return access;
    }

    InstanceSeat seat() {
        return seat;
    }

    /// Gives producers no more credit: the broker is stopping.
    public void drain() {
        producers.drain();
    }

    MetadataAccount account() {
        return account;
    }

    ClientIdentity identity() {
        return identity;
    }

    /// Number of the connection, 0 before the handshake is done. Any thread.
    public long id() {
        return identity.id();
    }

    /// Description of the connection for people. Owner only.
    public ConnectionInfo info() {
        return identity.info(consumers.count() + sessions.consumers().count(), producers.count());
    }

    /// True if the connection has ended or is about to: nothing of the client is taken any more.
    public boolean closed() {
        return state == State.CLOSED;
    }

    Authenticator.Peer peer() {
        return output.peer();
    }

    void write(ControlFrame frame) {
        output.write(frame);
    }

    /// The loop that owns this connection.
    public Loop loop() {
        return output.loop();
    }

    @Override
    public String toString() {
        return output.toString();
    }
}
