package winnow.client.transport;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.message.NameTable;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.PartsRefused;
import winnow.wire.frame.Prepared;
import winnow.wire.frame.SessionFrame;

/// An established connection to a broker. Thread-safe; calls that wait must not come from an event
/// loop.
public final class WireConnection {
    private static final Logger LOG = ClientLog.of(WireConnection.class);
    private static final long LATER_MILLIS = 100;

    private final DirectSocket channel;
    private final String peer;
    private final ConnectionEvents events;
    private final NameTable names = new NameTable();
    private final InboundFrames frames;
    private final SocketReader reader;
    private final SendBuffer output;
    private final Requests requests;
    private final PreparedLists preparedLists;
    private final Subscriptions subscriptions = new Subscriptions();
    private final PublishHandles handles;
    private final SessionNumbers sessions = new SessionNumbers();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable TransportException endedBy;
    private volatile boolean established;
    private volatile String product = "";
    private volatile boolean stored;
    private volatile boolean parts;
    private volatile boolean recall;
    private volatile @Nullable UUID store;

    public WireConnection(
            DirectSocket channel,
            ConnectionTarget target,
            BrokerHost host,
            ConnectionEvents events,
            HandshakeResult handshake) {
        this.channel = channel;
        this.events = events;
        peer = host.toString();
        frames = new InboundFrames(this, target, handshake);
        reader = new SocketReader(channel, this);
        output = new SendBuffer(channel, reader, names, target.login().continuity());
        requests = new Requests(output, reader, target.limits().requestTimeoutMillis());
        preparedLists = new PreparedLists(requests);
        handles = new PublishHandles(this, requests);
    }

    /// Numbers of property names on this connection.
    public NameTable names() {
        return names;
    }

    /// Id of this connection, which the broker gave.
    public long id() {
        return output.connectionId();
    }

    /// Name and version of the broker, for people.
    public String product() {
        return product;
    }

    /// Host and port of the broker, for people.
    public String peer() {
        return peer;
    }

    /// Opens a destination for publishing.
    ///
    /// @throws TransportException if the broker refuses
    public PublishHandle open(DestinationKind kind, String name) throws TransportException {
        return handles.open(kind, name);
    }

    /// Adds who refused which name, if that is the reason.
    TransportException aboutDestination(TransportException failure, String name) {
        if (failure.code() != ErrorCode.INVALID_DESTINATION) {
            return failure;
        }
        return new TransportException(
                failure.code(),
                "%s refused the destination '%s': %s"
                        .formatted(peer, ConnectionTarget.shortened(name), failure.getMessage()));
    }

    /// Gives a destination handle back.
    public void release(PublishHandle handle) {
        handles.release(handle);
    }

    /// Gives a message the next id of this connection.
    public void assignId(WinnowMessage message) {
        output.assignId(message);
    }

    /// Sends a message; see [SendBuffer#publish].
    ///
    /// @param terms without a confirmation, a refusal is thrown by the next call
    /// @param timeoutNanos longest wait for credit
    public void publish(
            PublishHandle handle, WinnowMessage message, PublishTerms terms, long timeoutNanos)
            throws TransportException, JMSException {
        if (terms.confirmation() == null && terms.session() == 0) {
            handle.onUnconfirmed();
        }
        message.prepare(names);
        if (parts && output.wantsParts(handle, message)) {
            new PartsUpload(output, handle, message, timeoutNanos).send(terms);
        } else {
            output.publish(handle, message, terms, timeoutNanos);
        }
    }

    /// Sends a message of a distributed transaction, which takes none in parts.
    ///
    /// Parameters and failures are those of [#publish].
    public void publishWhole(
            PublishHandle handle, WinnowMessage message, PublishTerms terms, long timeoutNanos)
            throws TransportException, JMSException {
        message.prepare(names);
        long bytes = message.maxBlockBytes();
        if (bytes > output.maxMessageBytes()) {
            throw new TransportException(
                    ErrorCode.FRAME_TOO_LARGE,
                    ("a distributed transaction cannot send a message of %d bytes, headers and"
                                    + " properties included; at most %d (the broker's setting"
                                    + " transport.max-frame)")
                            .formatted(bytes, output.maxMessageBytes()));
        }
        output.publish(handle, message, terms, timeoutNanos);
    }

    /// For whom the broker holds back what is published to a destination, empty if it does not.
    public String blockedReason(PublishHandle handle) {
        return output.blockedReason(handle);
    }

    /// The same as [#readUntil] for the answer to a publish, which is expected soon. Call it before
    /// waiting for the answer otherwise.
    public void readAnswer(BooleanSupplier done, long timeoutNanos) {
        reader.readAnswer(done, timeoutNanos);
    }

    /// Reads the socket until `done`, if that is this thread's turn; see [SocketReader]. May return
    /// before.
    ///
    /// @param timeoutNanos longest wait
    public void readUntil(BooleanSupplier done, long timeoutNanos) {
        reader.readUntil(done, timeoutNanos);
    }

    /// Makes the event loop read what a thread may be reading in [#readUntil], which returns then.
    public void recallReading() {
        reader.recall();
    }

    /// True if what is expected concerns at most one thread, which reads by itself: deliveries for
    /// a listener, or else the confirmation of its next send.
    boolean isCalm() {
        return (subscriptions.isEmpty() || subscriptions.hasOnlyAReader())
                && requests.isEmpty()
                && output.isCalm()
                && !ended.get();
    }

    /// Asks for a subscription; its messages go to `target` from now on.
    ///
    /// @param creditMessages deliveries that the target accepts at first
    /// @param creditBytes bytes of delivery frames that the target accepts at first
    /// @return the subscription, which the broker has not accepted yet
    /// @throws TransportException if the connection has as many as it can have
    public WireSubscription subscribe(
            Source source,
            boolean noLocal,
            int creditMessages,
            int creditBytes,
            DeliveryReceiver target)
            throws TransportException {
        int id = subscriptions.add(target);
        CompletableFuture<@Nullable Void> accepted =
                requests.send(request ->
                        new ControlFrame.Subscribe(
                                request, id, source, noLocal, creditMessages, creditBytes));
        return new WireSubscription(
                this,
                id,
                source.destination(),
                target,
                accepted,
                request -> new ControlFrame.Unsubscribe(request, id));
    }

    /// Begins a session. Does not wait.
    ///
    /// @param transacted whether it commits what it does
    /// @throws TransportException if the broker offers no sessions, or the connection has as many
    ///   as it can have
    public WireSession beginSession(boolean transacted) throws TransportException {
        requireStored();
        return WireSession.begin(this, sessions, transacted);
    }

    /// Begins a session that publishes in the branches of distributed transactions. Does not wait.
    ///
    /// @throws TransportException as [#beginSession]
    public WireSession beginPublishing() throws TransportException {
        requireStored();
        return WireSession.beginPublishing(this, sessions);
    }

    /// Asks for prepared transactions, and waits for the answer.
    ///
    /// @param after the last one that is known, null to begin
    /// @throws TransportException if the broker refuses or does not answer
    public Prepared listPrepared(@Nullable Xid after) throws TransportException {
        requireStored();
        return preparedLists.ask(after);
    }

    boolean knowsRecall() {
        return recall;
    }

    /// Tells if the broker knows what was asked of that connection, which was lost: whether it has
    /// the same store. Without that, nothing can be asked or sent again.
    public boolean remembers(WireConnection before) {
        UUID known = store;
        return known != null && known.equals(before.store);
    }

    /// Waits until nothing more can come of what the connection has brought, which has ended.
    ///
    /// @param timeoutMillis longest wait
    public void awaitQuiet(long timeoutMillis) {
        channel.closeFuture().awaitUninterruptibly(timeoutMillis);
        try {
            channel.eventLoop().submit(() -> {}).awaitUninterruptibly(timeoutMillis);
        } catch (RejectedExecutionException e) {
            // The event loop has ended with its last connection: nobody reads.
            LOG.trace("the event loop has ended", e);
        }
        reader.awaitLeft(timeoutMillis);
    }

    PreparedLists preparedLists() {
        return preparedLists;
    }

    /// @throws TransportException if the broker has no queues, sessions and named subscriptions
    public void requireStored() throws TransportException {
        if (!stored) {
            throw new TransportException(
                    ErrorCode.NOT_SUPPORTED,
                    "the broker at %s has no queues, transactions and named subscriptions"
                            .formatted(peer));
        }
    }

    /// Asks for something that concerns the whole connection, and waits for the answer.
    ///
    /// @param request makes the frame of a request id
    /// @throws TransportException if the broker refuses or does not answer
    public void ask(IntFunction<SessionFrame> request) throws TransportException {
        request(request).await();
    }

    /// Asks for something that concerns the whole connection. Does not wait.
    ///
    /// @param request makes the frame of a request id
    /// @throws TransportException if the broker offers none of it
    public Answer request(IntFunction<SessionFrame> request) throws TransportException {
        requireStored();
        CompletableFuture<@Nullable Void> answer = requests.send(request::apply);
        return new Answer(requests, answer, answer, "a request");
    }

    /// Waits once for the answers to what ends subscriptions and sessions. If one does not come,
    /// the connection is gone as a rule, and with it what was to end; until it comes, messages go
    /// to the target of that subscription, and its id is in use.
    public void awaitEnds(List<CompletableFuture<@Nullable Void>> answers) {
        try {
            requests.awaitAll(answers, "what ends a subscription or session");
        } catch (TransportException e) {
            LOG.debug("could not end a subscription or session", e);
        }
    }

    /// Runs a task on the event loop after [#LATER_MILLIS], which is when something that failed for
    /// want of resources may be tried again.
    public void later(Runnable task) {
        after(LATER_MILLIS, task);
    }

    /// Runs a task on the event loop after a while.
    public void after(long millis, Runnable task) {
        try {
            var unused = channel.eventLoop().schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The event loop has ended, long after the connection: nobody waits for the task.
            return;
        }
    }

    /// Says goodbye and waits until the broker has handled what was sent and has closed the
    /// connection, at most for the timeout. Idempotent.
    ///
    /// @param timeoutMillis then the connection is cut
    public void close(long timeoutMillis) {
        if (ended.compareAndSet(false, true)) {
            TransportException reason =
                    new TransportException(
                            LocalFailure.CONNECTION_CLOSED, "the connection is closed");
            output.close(reason, new ControlFrame.Goodbye(ErrorCode.NONE.number(), ""));
            reader.recall();
        }
        channel.closeFuture().awaitUninterruptibly(timeoutMillis, TimeUnit.MILLISECONDS);
        channel.close().awaitUninterruptibly(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    public InboundFrames frames() {
        return frames;
    }

    SocketReader reader() {
        return reader;
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    Requests requests() {
        return requests;
    }

    SendBuffer output() {
        return output;
    }

    void onWelcome(ControlFrame.Welcome welcome) {
        product = welcome.product();
        stored = (welcome.capabilities() & Protocol.STORED) != 0;
        parts = stored && (welcome.capabilities() & Protocol.PARTS) != 0;
        recall = stored && (welcome.capabilities() & Protocol.RECALL) != 0;
        store = welcome.store();
        output.onWelcome(welcome);
    }

    /// The handshake is complete, and known to be to who waits for it. Event loop.
    void onEstablished() {
        established = true;
    }

    void onCredit(int number, int bytes) {
        PublishHandle handle = handles.get(number);
        if (handle != null) {
            output.onCredit(handle, bytes);
        }
    }

    void onBlocked(int number, String reason) {
        PublishHandle handle = handles.get(number);
        if (handle != null) {
            output.onBlocked(handle, reason);
        }
    }

    void onPublished(long count) {
        List<PublishReply> confirmed = output.takeConfirmed(count);
        for (int i = 0; i < confirmed.size(); i++) {
            confirmed.get(i).onPublished();
        }
    }

    void onPublishRefused(ControlFrame.PublishRefused refused) {
        TransportException reason = TransportException.ofNumber(refused.code(), refused.message());
        if (refused.sequence() > 0) {
            output.onRefused(refused.sequence(), reason);
        } else {
            PublishHandle handle = handles.get(refused.handle());
            events.onRefused(handle == null ? "?" : handle.name(), reason);
            if (handle != null) {
                handle.onRefused(reason);
            }
        }
    }

    void onPartsRefused(PartsRefused refused) {
        PublishHandle handle = handles.get(refused.handle());
        if (handle != null) {
            handle.refuseParts(
                    refused.number(),
                    TransportException.ofNumber(refused.code(), refused.message()));
            output.wake();
        }
    }

    /// Writes a frame that nobody would miss if the connection is closed.
    void writeQuietly(ControlFrame frame) {
        try {
            output.write(frame);
        } catch (TransportException e) {
            // The connection is closed, which its users learn elsewhere.
            return;
        }
    }

    /// This side gives the connection up and tells the broker why. Event loop.
    void onBroken(TransportException cause) {
        String text = cause.getMessage();
        ControlFrame.Goodbye last =
                new ControlFrame.Goodbye(cause.code().number(), text == null ? "" : text);
        end(cause, last);
        channel.eventLoop().execute(channel::close);
    }

    /// Reason why the connection has ended, null if it has not.
    public @Nullable TransportException endedBy() {
        return endedBy;
    }

    /// True if it is lost or closed.
    public boolean hasEnded() {
        return ended.get();
    }

    /// The connection is gone. Event loop.
    void onLost(TransportException cause) {
        end(cause, null);
        channel.close();
    }

    private void end(TransportException cause, ControlFrame.@Nullable Goodbye last) {
        boolean lost = ended.compareAndSet(false, true);
        if (lost) {
            // Before anybody can notice: who does then asks why.
            endedBy = cause;
            output.close(cause, last);
            reader.recall();
        }
        requests.onLost(cause);
        List<UnansweredPublish> unanswered = output.takeUnanswered();
        if (lost && established) {
            events.onLost(this, cause, unanswered);
        } else {
            unanswered.forEach(publish -> publish.confirmation().onRefused(cause));
        }
    }
}
