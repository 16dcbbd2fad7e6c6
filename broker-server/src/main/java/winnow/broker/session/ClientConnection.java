package winnow.broker.session;

import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.HeldProducer;
import winnow.broker.destination.RefusedException;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.fault.FaultOwner;
import winnow.broker.fault.LogQuota;
import winnow.broker.metrics.BlockReason;
import winnow.broker.subscription.Loop;
import winnow.wire.CancelParts;
import winnow.wire.ControlFrame;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameSink;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.SessionFrame;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// One client: takes its frames in order and answers them. Owned by its event loop.
public final class ClientConnection implements FrameSink, FaultOwner {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /// How often [#onTick] is called, in milliseconds.
    public static final int TICK_MILLIS = 500;

    /// Of all connections together.
    private static final LogQuota QUOTA = new LogQuota();

    private final SessionContext context;
    private final Output output;
    private final MetadataAccount account;
    private final Handshake handshake;
    private final Producers producers;
    private final PartsProducers parts;
    private final Consumers consumers;
    private final SessionChannels sessions;
    private final Liveness liveness;
    private final ReadTurns turns;
    private State state = State.EXPECTING_HELLO;
    private volatile long id;
    private String clientId = "";
    private String nameOwner = "";
    private int askedName;
    private long clientIdBytes;
    private int requests;

    /// Whether the client knows queues and sessions.
    private boolean storedKnown;

    /// Whether the client knows messages in parts.
    private boolean partsKnown;

    /// Goodbye came while the storage had messages of this client.
    private boolean leaving;

    private enum State {
        EXPECTING_HELLO,
        AUTHENTICATING,
        OPEN,
        CLOSED
    }

    public ClientConnection(SessionContext context, Output output) {
        this.context = context;
        this.output = output;
        this.handshake = new Handshake(context, this);
        this.account = new MetadataAccount(context.metadata(), context.destinations());
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
                new Producers(
                        context, output, account, this::heldProducer, pauses, sessions, touched);
        this.parts = new PartsProducers(context, output, pauses, account, producers, sessions);
        this.turns = new ReadTurns(context.destinations().work(output.loop()), output, pauses);
        this.consumers =
                new Consumers(
                        context,
                        output,
                        account,
                        sessions.consumers(),
                        sessions.limits(),
                        reason -> goodbye(ErrorCode.LIMIT_EXCEEDED, reason));
        sessions.consumers().usedElsewhere(consumers::has);
        this.liveness =
                new Liveness(
                        output, () -> context.config().unreadTimeout().toMillis(), this::goodbye);
        context.connections().add(this);
    }

    @Override
    public void onFrame(int type, WireReader payload) {
        assert loop().inLoop();
        if (type == FrameType.PUBLISH && state == State.OPEN) {
            producers.onPublish(payload);
            if (!producers.isBusy()) {
                turns.onRouted();
            }
            output.loop().touch(this);
        } else if (type == FrameType.CONSUMER_CREDIT && state == State.OPEN) {
            consumers.onCredit(payload);
        } else if (FrameType.isPart(type) && state == State.OPEN && partsKnown) {
            parts.onFrame(type, payload);
            if (!isBusy()) {
                turns.onRouted();
            }
        } else if (state != State.CLOSED) {
            requests++;
            onControl(ControlFrame.decode(type, payload));
            if (state == State.OPEN && !isBusy()) {
                turns.onRouted();
            }
        }
    }

    /// Frames other than messages and credit that came since the last call.
    public int takeRequests() {
        int taken = requests;
        requests = 0;
        return taken;
    }

    /// A large message of a client that only produces may have to wait.
    @Override
    public boolean accepts(int type, WireReader payload) {
        return type != FrameType.PUBLISH
                || state != State.OPEN
                || consumes()
                || producers.accepts(payload);
    }

    @Override
    public boolean isBusy() {
        return isMatching() || turns.isWaiting();
    }

    /// Whether messages have been read that are not routed yet, because that takes long. Any
    /// thread.
    public boolean isRouting() {
        return isMatching() || turns.isUnfinished();
    }

    private boolean isMatching() {
        return producers.isBusy() || parts.isMatching() || sessions.isMatching();
    }

    @Override
    public void onFramesEnd() {
        output.loop().router().onReadEnd();
        producers.onDelivered(!consumes());
    }

    private boolean consumes() {
        return !consumers.isEmpty() || sessions.consumers().count() > 0;
    }

    private void onControl(ControlFrame control) {
        switch (control) {
            case ControlFrame.Hello hello when state == State.EXPECTING_HELLO -> {
                state = State.AUTHENTICATING;
                storedKnown = (hello.capabilities() & Protocol.STORED) != 0;
                partsKnown = storedKnown && (hello.capabilities() & Protocol.PARTS) != 0;
                sessions.recalls((hello.capabilities() & Protocol.RECALL) != 0);
                handshake.onHello(hello);
            }
            case ControlFrame.Response response when state == State.AUTHENTICATING ->
                    handshake.onResponse(response);
            case ControlFrame.Heartbeat _ when state == State.OPEN -> {}
            case ControlFrame.Goodbye _ -> onGoodbye();
            case ControlFrame.Open open when state == State.OPEN ->
                    answer(
                            open.requestId(),
                            () -> {
                                checkKind(open.kind());
                                producers.onOpen(open);
                                output.write(new ControlFrame.Accepted(open.requestId()));
                                producers.onOpened(open.handle());
                            });
            case ControlFrame.Release release when state == State.OPEN -> {
                parts.onRelease(release.handle());
                producers.onRelease(release.handle());
            }
            case CancelParts cancel when state == State.OPEN && partsKnown ->
                    parts.onCancel(cancel.handle());
            case ControlFrame.Subscribe subscribe when state == State.OPEN ->
                    answer(subscribe.requestId(), () -> consumers.onSubscribe(subscribe));
            case ControlFrame.Unsubscribe unsubscribe when state == State.OPEN ->
                    answer(unsubscribe.requestId(), () -> consumers.onUnsubscribe(unsubscribe));
            case SessionFrame frame when state == State.OPEN && storedKnown ->
                    answer(SessionChannels.requestId(frame), () -> sessions.onFrame(frame));
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

    private void checkKind(DestinationKind kind) {
        if (kind == DestinationKind.QUEUE && !storedKnown) {
            throw new RefusedException(
                    ErrorCode.NOT_SUPPORTED, "queues need a client that knows sessions");
        }
    }

    /// What was read before it is confirmed, because the client waits for that: where the storage
    /// has messages, when it has answered.
    private void onGoodbye() {
        if (state == State.OPEN) {
            output.loop().router().deliver();
            output.loop().router().endBatch();
            producers.confirm();
            if (producers.waitsForStorage()) {
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

    private void answer(int requestId, Runnable request) {
        try {
            request.run();
        } catch (RefusedException e) {
            context.counters().refusals.increment(e.code());
            logLimit(e);
            output.write(
                    new ControlFrame.Refused(
                            requestId, e.code().number(), String.valueOf(e.getMessage())));
        }
    }

    private void logLimit(RefusedException refusal) {
        if (refusal.code() == ErrorCode.LIMIT_EXCEEDED) {
            QUOTA.log(leftOut ->
                    LOG.atWarn()
                            .addKeyValue("connection", output)
                            .log(
                                    "{}: a request was refused: {}{}",
                                    output,
                                    refusal.getMessage(),
                                    leftOut));
        }
    }

    private void onIntern(String name) {
        Integer id = context.names().intern(name, nameOwner);
        if (id != null) {
            askedName = Math.max(askedName, id);
            output.announceNames(askedName);
        }
    }

    /// @param user whom the names count for that the client brings
    void onAccepted(String clientId, String user, ControlFrame.Welcome welcome) {
        this.clientId = clientId;
        nameOwner = user;
        state = State.OPEN;
        output.identify(welcome.connectionId(), clientId);
        sessions.identify(welcome.connectionId(), clientId);
        consumers.identify(welcome.connectionId());
        id = welcome.connectionId();
        liveness.begin(welcome.heartbeatMillis());
        output.maxFrameBytes(welcome.maxFrameBytes());
        output.write(welcome);
        LOG.debug("{} connected", output);
    }

    /// What was read in this iteration has been routed and handed over.
    public void onBatchEnd() {
        if (state == State.OPEN) {
            producers.onBatchEnd();
            if (leaving && !producers.waitsForStorage()) {
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
        }
        if (state == State.OPEN && output.keepsWantedRoom()) {
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
        logClosing(code, message);
        onDisconnected();
        output.write(new ControlFrame.Goodbye(code.number(), message));
        output.closeAfterFlush();
    }

    /// Failed authentications are logged where they are counted.
    private void logClosing(ErrorCode code, String message) {
        if (code == ErrorCode.SHUTTING_DOWN || code == ErrorCode.AUTHENTICATION_FAILED) {
            LOG.debug("{} is closed: {}: {}", output, code, message);
            return;
        }
        QUOTA.log(leftOut ->
                LOG.atWarn()
                        .addKeyValue("connection", output)
                        .addKeyValue("reason", code)
                        .log("{} is closed: {}: {}{}", output, code, message, leftOut));
    }

    /// The client has gone without a goodbye.
    ///
    /// @param why what the socket says
    public void onLost(String why) {
        if (state == State.OPEN) {
            QUOTA.log(leftOut ->
                    LOG.atInfo()
                            .addKeyValue("connection", output)
                            .log("{} is lost: {}{}", output, why, leftOut));
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
        state = State.CLOSED;
        context.connections().remove(this);
        FaultBarrier faults = loop().faults();
        faults.run(handshake::onDisconnected);
        faults.run(consumers::close);
        faults.run(parts::close);
        faults.run(sessions::close);
        faults.run(producers::close);
        turns.close();
        if (!clientId.isEmpty()) {
            context.connections().releaseClientId(clientId);
        }
        account.giveBack(clientIdBytes);
        clientIdBytes = 0;
    }

    /// Gives producers no more credit: the broker is stopping.
    public void drain() {
        producers.drain();
    }

    MetadataAccount account() {
        return account;
    }

    /// To be called before the identifier is taken.
    ///
    /// @throws RefusedException if there is no room for it
    void chargeClientId(String id) {
        long bytes = id.isEmpty() ? 0 : MetadataAccount.textBytes(id);
        account.charge(bytes);
        clientIdBytes = bytes;
    }

    /// Number of the connection, 0 before the handshake is done. Any thread.
    public long id() {
        return id;
    }

    /// What people want to know. Owner only.
    public ConnectionInfo info() {
        return new ConnectionInfo(
                "%016x".formatted(id),
                clientId,
                user(),
                output.address(),
                consumers.count() + sessions.consumers().count(),
                producers.count());
    }

    /// What people want to know of a producer that is held back. Any thread: what it says does not
    /// change after the handshake.
    private HeldProducer heldProducer(BlockReason limit, Instant since) {
        return new HeldProducer(
                "%016x".formatted(id), clientId, user(), output.address(), limit, since);
    }

    /// Empty if clients need no credentials, or before the handshake is done.
    String user() {
        return context.authenticator().demandsCredentials() ? nameOwner : "";
    }

    boolean closed() {
        return state == State.CLOSED;
    }

    Authenticator.Peer peer() {
        return new Authenticator.Peer(output.address(), output.confidential());
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
