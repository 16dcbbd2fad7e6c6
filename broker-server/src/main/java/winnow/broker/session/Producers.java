package winnow.broker.session;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Destination;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.permission.Permission;
import winnow.broker.routing.Audience;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.MatchDone;
import winnow.broker.routing.MatchQueue;
import winnow.broker.routing.MatchResult;
import winnow.broker.routing.Router;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.storage.StoredReference;
import winnow.broker.subscription.ProducerCredit;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;
import winnow.wire.frame.ControlFrame;

/// The publishing side of one connection: destination handles, messages, confirmations and producer
/// credit. Owned by the connection's event loop.
final class Producers {
    /// Less than a microsecond each.
    private static final int HANDLES_PER_STEP = 32;

    private final SessionContext context;
    private final Output output;
    private final Router router;
    private final MetadataAccount account;
    private final ProducerIdentity identity;
    private final MatchQueue matches;
    private final Publishing publishing = new Publishing();
    private final SessionChannels sessions;
    private final Runnable stored;
    private final TouchedHandles touched = new TouchedHandles();
    private final ById<ProducerHandle> handles = new ById<>();
    private final BlockedReading blockedReading;
    private boolean draining;
    private boolean closed;
    private final Confirmations confirmations;
    private final StorageIntake intake;
    private final SenderClock clock;

    /// @param sessions get what is published in transactions
    /// @param stored called when the storage has answered
    Producers(
            SessionContext context,
            Output output,
            MetadataAccount account,
            ProducerIdentity identity,
            ReadingPauses pauses,
            SessionChannels sessions,
            Runnable stored) {
        this.context = context;
        this.output = output;
        this.router = output.loop().router();
        this.confirmations =
                new Confirmations(
                        output, new PublishNumbers(context, account, sessions.commands()));
        this.account = account;
        this.identity = identity;
        this.matches = sessions.matches();
        this.intake = new StorageIntake(context.intake(), pauses);
        this.clock = new SenderClock(context, identity);
        this.blockedReading = new BlockedReading(pauses, this::execute);
        this.sessions = sessions;
        this.stored = stored;
    }

    /// Says whose producers these are.
    ProducerIdentity identity() {
        return identity;
    }

    String owner() {
        return account.owner();
    }

    /// Destinations that are open.
    int count() {
        return handles.size();
    }

    void onOpen(ControlFrame.Open open) {
        int number = open.handle();
        ById.checkId("handle", number);
        if (handles.get(number) != null) {
            throw new RefusedException(
                    ErrorCode.DUPLICATE_ID, "handle " + number + " is open already");
        }
        int max = context.config().maxHandles();
        if (handles.size() >= max) {
            throw ConnectionLimit.exceeded(
                    "destinations to publish to", "session.max-handles", max, handles.size() + 1L);
        }
        Destination destination = acquire(open);
        int window = context.config().producerWindow().toInt();
        handles.add(number, new ProducerHandle(number, destination, this, credit(), window));
    }

    /// @throws RefusedException if the user may not send to an open destination any more
    void check(ConnectionAccess access) {
        handles.forEach(handle -> access.keep(Need.of(Permission.SEND, handle.destination())));
    }

    private Destination acquire(ControlFrame.Open open) {
        account.charge(MetadataAccount.HANDLE_BYTES);
        try {
            return account.acquire(open.kind(), open.name());
        } catch (RuntimeException | Error e) {
            account.giveBack(MetadataAccount.HANDLE_BYTES);
            throw e;
        }
    }

    /// Grants an opened handle its window, unless its topic is blocked.
    void onOpened(int number) {
        ProducerHandle opened = handles.get(number);
        if (opened != null) {
            opened.settle();
            flushCredit();
        }
    }

    void onRelease(int number) {
        ProducerHandle handle = handles.get(number);
        if (handle == null) {
            throw new WireException(
                    ErrorCode.UNKNOWN_HANDLE, "Release: handle " + number + " is not open");
        }
        handles.remove(number);
        release(handle);
    }

    private void release(ProducerHandle handle) {
        handle.release();
        account.release(handle.destination());
        account.giveBack(MetadataAccount.HANDLE_BYTES);
    }

    /// Takes a message.
    ///
    /// @param number of the handle
    /// @param confirm whether the client waits for a confirmation
    /// @param again the number that it had on an earlier connection, 0 if it is new
    /// @param session whose transaction it belongs to, 0 for none
    /// @param block its fields are parsed; borrowed
    /// @param frameBytes of the credit of its handle
    void publish(
            int number,
            boolean confirm,
            long again,
            int session,
            MessageBlock block,
            int frameBytes) {
        confirmations.count(confirm, again);
        clock.onMessage(block);
        ProducerHandle handle = handles.get(number);
        if (handle == null) {
            refuse(confirm, number, ErrorCode.UNKNOWN_HANDLE, "handle " + number + " is not open");
            return;
        }
        if (!handle.charge(frameBytes, context.maxFrameBytes())) {
            throw new WireException(
                    ErrorCode.FLOW_CONTROL_VIOLATION,
                    "Publish: no credit left on handle " + number);
        }
        if (handle.overdrawn() && isTooMuch(handle)) {
            handle.owe(frameBytes);
            refuse(confirm, number, ErrorCode.LIMIT_EXCEEDED, handle.tooMuch(block.length()));
            touched.add(handle);
            return;
        }
        output.loop().onMessage(handle.topic() != null, frameBytes);
        try {
            if (confirmations.numbers().wasTaken(again)) {
                handle.owe(frameBytes);
            } else if (session != 0) {
                sessions.publish(session, handle.destination(), block);
                handle.owe(frameBytes);
            } else {
                publish(handle, confirm, block, frameBytes);
            }
        } catch (RefusedException e) {
            refuse(handle, e, confirm, frameBytes);
        }
        confirmations.onHandled();
        touched.add(handle);
    }

    private void publish(
            ProducerHandle handle, boolean confirm, MessageBlock block, int frameBytes) {
        Topic topic = handle.topic();
        if (topic == null || DelayedTopics.waits(block)) {
            MatchResult checked = router.check(block, context.destinations().propertyLimits());
            StoredReference reference =
                    topic == null
                            ? handle.destination().stored()
                            : context.delayed().reference(topic);
            take(handle, reference, checked, confirm, frameBytes);
            return;
        }
        MatchResult matched =
                matches.begin(topic, block, output, Audience.LIVE_AND_STORED, publishing);
        if (matched != null) {
            take(handle, topic.stored(), matched, confirm, frameBytes);
        } else if (matches.isBusy()) {
            publishing.goOn(handle, confirm, frameBytes);
        }
    }

    /// A message that is matched in slices: one at a time, because nothing is read meanwhile.
    private final class Publishing implements MatchDone {
        private @Nullable ProducerHandle handle;
        private boolean confirm;
        private int frameBytes;

        void goOn(ProducerHandle ofMessage, boolean isConfirmed, int itsFrameBytes) {
            handle = ofMessage;
            confirm = isConfirmed;
            frameBytes = itsFrameBytes;
            confirmations.hold(numberOf(isConfirmed));
        }

        @Override
        public void onMatched(MatchResult result) {
            ProducerHandle matched = end();
            take(matched, matched.destination().stored(), result, confirm, frameBytes);
        }

        @Override
        public void onFault(Throwable fault) {
            refuse(end(), MatchDone.refusal(fault), confirm, frameBytes);
        }

        private ProducerHandle end() {
            ProducerHandle matched = Objects.requireNonNull(handle);
            confirmations.goOn();
            touched.add(matched);
            stored.run();
            return matched;
        }
    }

    private void take(
            ProducerHandle handle,
            StoredReference reference,
            MatchResult result,
            boolean confirm,
            int frameBytes) {
        MessageHeaders headers = result.headers();
        if (headers == null) {
            confirmations.numbers().onLive(numberOf(confirm));
            handle.owe(frameBytes);
        } else {
            store(handle, reference, result.block(), headers, numberOf(confirm), frameBytes);
        }
    }

    private void refuse(
            ProducerHandle handle, RefusedException why, boolean confirm, int frameBytes) {
        handle.owe(frameBytes);
        refuse(confirm, handle.number(), why.code(), String.valueOf(why.getMessage()));
    }

    private long numberOf(boolean confirm) {
        return confirm ? confirmations.last() : 0;
    }

    private void store(
            ProducerHandle handle,
            StoredReference reference,
            MessageBlock message,
            MessageHeaders headers,
            long number,
            int frameBytes) {
        byte[] bytes = Arrays.copyOfRange(message.array(), message.start(), message.end());
        StoredPublish publish =
                new StoredPublish(this, handle, number, frameBytes, reference, bytes, headers);
        publish.overdraw();
        publish.bringsAlong(confirmations.numbers().firstWith(number));
        if (number > 0) {
            confirmations.await(publish);
        }
        intake.add(publish.heapBytes(), publish.shardNanos());
        context.storage().execute(output.loop(), output, publish);
    }

    /// True if what comes next has to wait until there is memory for what goes to the storage. Any
    /// thread.
    boolean isBusy() {
        return intake.isPaused();
    }

    ProducerCredit credit() {
        return context.backlogMemory().credit();
    }

    /// Runs a command of this connection on its loop, together with others. Shard's thread.
    void tell(Runnable command) {
        context.storage().tell(output.loop(), output, command);
    }

    /// Reason why the storage cannot take a message, null if it can. Shard's thread.
    @Nullable String storageOverfull(MessageHeaders message) {
        return context.storage().overfull(message, owner());
    }

    /// The storage has a message, or has refused it.
    void onStored(StoredPublish publish) {
        if (closed) {
            return;
        }
        publish.handle().owe(publish.frameBytes());
        touched.add(publish.handle());
        stored.run();
        intake.remove(publish.heapBytes(), publish.shardNanos());
    }

    /// The storage has refused a message.
    void onStorageRefused(StoredPublish publish, ErrorCode code, String message) {
        if (!closed) {
            refuse(publish.number(), publish.handle().number(), code, message);
        }
    }

    /// The handle with that number, null if it is not open.
    @Nullable ProducerHandle handle(int number) {
        return handles.get(number);
    }

    SenderClock clock() {
        return clock;
    }

    /// A frame of a message in parts has come.
    void charge(ProducerHandle handle, int frameBytes) {
        if (!handle.charge(frameBytes, context.maxFrameBytes())) {
            throw new WireException(
                    ErrorCode.FLOW_CONTROL_VIOLATION,
                    "a message in parts: no credit left on handle " + handle.number());
        }
    }

    /// Gives back the credit that a frame of a message in parts has cost.
    void giveBack(ProducerHandle handle, int frameBytes) {
        if (!closed) {
            handle.owe(frameBytes);
            touched.add(handle);
            stored.run();
        }
    }

    /// Tells the client what has become of its messages.
    Confirmations confirmations() {
        return confirmations;
    }

    /// A message in parts has been answered.
    void onAnswered() {
        if (!closed) {
            stored.run();
        }
    }

    private boolean isTooMuch(ProducerHandle handle) {
        return context.backlogMemory().overrun() && handle.destination().blocked();
    }

    /// True if a large message of a client that only produces may come now: not while its topic is
    /// blocked and the memory for what waits is used up. Then the client is not read. Where others
    /// wait for the room that the message takes, it comes, and is refused if that is too much.
    ///
    /// @param number of the handle
    boolean accepts(int number) {
        if (!context.backlogMemory().exhausted() || output.input().keepsWantedRoom()) {
            return true;
        }
        ProducerHandle handle = handles.get(number);
        if (handle == null || !handle.destination().blocked()) {
            return true;
        }
        blockedReading.pause(handle);
        return false;
    }

    /// Everything read so far has been delivered. Where the memory for what waits is used up, a
    /// client that only produces is not read until the topic it published to is free. One that
    /// consumes, too, must be read, or its credit would not come and nothing would ever leave: the
    /// credit of all producers bounds what it sends, and what goes beyond is refused in the end.
    void onDelivered(boolean producesOnly) {
        if (producesOnly && context.backlogMemory().exhausted()) {
            ProducerHandle blocked = touched.nextBlocked();
            if (blocked != null) {
                blockedReading.pause(blocked);
            }
        }
        touched.onSeen();
    }

    /// Nothing more will be read: what came before goes on.
    void onInputEnd() {
        intake.end();
    }

    /// Others wait for the room of a frame that this client has begun: it is read on, whatever is
    /// blocked, because one of them may be the client that frees the topic.
    void letFrameIn() {
        blockedReading.end();
    }

    private void refuse(boolean confirm, int number, ErrorCode code, String message) {
        refuse(numberOf(confirm), number, code, message);
    }

    /// @param sequence its number among the messages that are to be confirmed, 0 if it is not
    void refuse(long sequence, int number, ErrorCode code, String message) {
        confirmations.numbers().pass(sequence);
        context.counters().refusals.increment(code);
        output.write(new ControlFrame.PublishRefused(sequence, number, code.number(), message));
    }

    /// Confirms what was published since the last call, now that it has been handed over, and gives
    /// credit back.
    void onBatchEnd() {
        confirmations.confirm();
        touched.settle();
        flushCredit();
    }

    /// Gives credit back, of which the client is told by [#flushCredit].
    void grant(int handle, int bytes) {
        output.grant(handle, bytes);
    }

    void flushCredit() {
        output.flushCredit();
    }

    void onHeldBack(ControlFrame.Blocked blocked) {
        output.write(blocked);
    }

    /// Gives no more credit: the broker is stopping.
    void drain() {
        draining = true;
    }

    boolean draining() {
        return draining;
    }

    /// Gives no more credit; the handles go in steps.
    void close() {
        draining = true;
        closed = true;
        confirmations.close();
        Iterator<ProducerHandle> closing = handles.removeAll().iterator();
        if (closing.hasNext()) {
            context.destinations().work(output.loop()).add(() -> releaseSome(closing));
        }
        touched.clear();
        blockedReading.close();
        intake.close();
    }

    private boolean releaseSome(Iterator<ProducerHandle> closing) {
        for (int i = 0; i < HANDLES_PER_STEP && closing.hasNext(); i++) {
            release(closing.next());
        }
        return closing.hasNext();
    }

    Router router() {
        return router;
    }

    /// Runs a command of this connection on its loop. Any thread.
    void execute(Runnable command) {
        output.loop().execute(output, command);
    }
}
