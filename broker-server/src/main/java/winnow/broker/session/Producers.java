package winnow.broker.session;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.BlockedProducer;
import winnow.broker.destination.HeldProducer;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.Router;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.BlockReason;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Publish;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The publishing side of one connection: destination handles, messages, confirmations and producer
/// credit. Owned by the connection's event loop.
final class Producers {
    /// Less than a microsecond each.
    private static final int HANDLES_PER_STEP = 32;

    private final SessionContext context;
    private final Output output;
    private final MetadataAccount account;
    private final Identity identity;
    private final MessageBlock block = new MessageBlock();
    private final List<ProducerHandle> touched = new ArrayList<>();

    /// How many of those touched were seen by [#onDelivered].
    private int delivered;

    private final WireWriter grants = new WireWriter(64);
    private final ById<ProducerHandle> handles = new ById<>();
    private final BlockedProducer resume = () -> execute(this::resumeReading);
    private @Nullable Topic pausedBy;
    private long confirmable;
    private long confirmed;
    private int grantMark = -1;
    private boolean draining;

    Producers(SessionContext context, Output output, MetadataAccount account, Identity identity) {
        this.context = context;
        this.output = output;
        this.account = account;
        this.identity = identity;
    }

    /// Says whose producers these are. Thread-safe once a destination is open.
    @FunctionalInterface
    interface Identity {
        HeldProducer heldProducer(BlockReason limit, Instant since);
    }

    /// One of these, which is held back, for people. Any thread.
    HeldProducer heldProducer(BlockReason limit, Instant since) {
        return identity.heldProducer(limit, since);
    }

    /// Destinations that are open.
    int count() {
        return handles.size();
    }

    void onOpen(ControlFrame.Open open) {
        int number = open.handle();
        checkId("handle", number);
        if (handles.get(number) != null) {
            throw new RefusedException(
                    ErrorCode.DUPLICATE_ID, "handle " + number + " is open already");
        }
        if (handles.size() >= context.config().maxHandles()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-handles is " + context.config().maxHandles());
        }
        Topic topic = acquire(open.name());
        int window = context.config().producerWindow().toInt();
        handles.add(
                number,
                new ProducerHandle(number, topic, this, context.backlogMemory().credit(), window));
    }

    private Topic acquire(String name) {
        account.charge(MetadataAccount.HANDLE_BYTES);
        try {
            return account.acquire(name);
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
            flushGrants();
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
        account.release(handle.topic());
        account.giveBack(MetadataAccount.HANDLE_BYTES);
    }

    /// A message. `in` stands behind the frame's type.
    void onPublish(WireReader in) {
        int frameBytes = Protocol.LENGTH_BYTES + 1 + in.remaining();
        int number = in.readVarint();
        int flags = Publish.readFlags(in);
        if ((flags & Publish.CONFIRM) != 0) {
            confirmable++;
        }
        block.parseFields(in.array(), in.position(), in.limit());
        ProducerHandle handle = handles.get(number);
        if (handle == null) {
            refuse(flags, number, ErrorCode.UNKNOWN_HANDLE, "handle " + number + " is not open");
            return;
        }
        if (!handle.charge(frameBytes, context.maxFrameBytes())) {
            throw new WireException(
                    ErrorCode.FLOW_CONTROL_VIOLATION,
                    "Publish: no credit left on handle " + number);
        }
        if (handle.overdrawn() && isTooMuch(handle)) {
            String message =
                    "a message of "
                            + block.length()
                            + " bytes, beyond the credit of handle "
                            + number
                            + ", while more waits for consumers than"
                            + " subscription.total-buffer allows; "
                            + handle.topic().blockReason();
            refuse(flags, number, ErrorCode.LIMIT_EXCEEDED, message);
            touch(handle);
            return;
        }
        try {
            router().route(handle.topic(), block, output);
        } catch (RefusedException e) {
            refuse(flags, number, e.code(), String.valueOf(e.getMessage()));
        }
        touch(handle);
    }

    private void touch(ProducerHandle handle) {
        if (touched.isEmpty() || touched.get(touched.size() - 1) != handle) {
            touched.add(handle);
        }
    }

    private boolean isTooMuch(ProducerHandle handle) {
        return context.backlogMemory().overrun() && handle.topic().blocked();
    }

    /// Whether a large message of a client that only produces may come now: not while its topic is
    /// blocked and the memory for what waits is used up. Then the client is not read. Where others
    /// wait for the room that the message takes, it comes, and is refused if that is too much.
    ///
    /// @param in stands behind the frame's type
    boolean accepts(WireReader in) {
        if (!context.backlogMemory().exhausted() || output.keepsWantedRoom()) {
            return true;
        }
        ProducerHandle handle = handles.get(in.readVarint());
        if (handle == null || !handle.topic().blocked()) {
            return true;
        }
        pause(handle);
        return false;
    }

    /// What was read so far has been delivered. Where the memory for what waits is used up, a
    /// client that only produces is not read until the topic it published to is free. One that
    /// consumes, too, must be read, or its credit would not come and nothing would ever leave: the
    /// credit of all producers bounds what it sends, and what goes beyond is refused in the end.
    void onDelivered(boolean producesOnly) {
        if (producesOnly && context.backlogMemory().exhausted()) {
            for (int i = Math.max(0, delivered - 1); i < touched.size(); i++) {
                if (touched.get(i).topic().blocked()) {
                    pause(touched.get(i));
                    break;
                }
            }
        }
        delivered = touched.size();
    }

    private void pause(ProducerHandle handle) {
        if (pausedBy == null) {
            handle.holdBack();
            pausedBy = handle.topic();
            output.pauseReading(true);
            pausedBy.await(resume);
        }
    }

    /// Others wait for the room of a frame that this client has begun: it is read on, whatever is
    /// blocked, because one of them may be the client that frees the topic.
    void letFrameIn() {
        if (pausedBy != null) {
            pausedBy.forget(resume);
            resumeReading();
        }
    }

    private void resumeReading() {
        if (pausedBy != null) {
            pausedBy = null;
            output.pauseReading(false);
        }
    }

    private void refuse(int flags, int number, ErrorCode code, String message) {
        long sequence = (flags & Publish.CONFIRM) != 0 ? confirmable : 0;
        context.counters().refusals.increment(code);
        output.write(new ControlFrame.PublishRefused(sequence, number, code.number(), message));
    }

    /// What was published since the last call has been handed over: confirms it and gives credit
    /// back.
    void onBatchEnd() {
        block.clear();
        confirm();
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).settle();
        }
        touched.clear();
        delivered = 0;
        flushGrants();
    }

    /// Confirms what was published since the last call: it has been handed over.
    void confirm() {
        if (confirmable > confirmed) {
            if (confirmable - confirmed == 1) {
                output.loop().onAnswered();
            }
            confirmed = confirmable;
            output.write(new ControlFrame.Published(confirmed));
        }
    }

    /// Adds to the connection's next ProducerCredit frame.
    void grant(int handle, int bytes) {
        if (grantMark < 0) {
            grants.clear();
            grantMark = grants.beginFrame(FrameType.PRODUCER_CREDIT);
        }
        grants.writeVarint(handle);
        grants.writeVarint(bytes);
    }

    void flushGrants() {
        if (grantMark >= 0) {
            grants.endFrame(grantMark);
            grantMark = -1;
            output.flushFirst();
            output.appendFrames(grants.array(), 0, grants.size());
        }
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
        Iterator<ProducerHandle> closing = handles.removeAll().iterator();
        if (closing.hasNext()) {
            context.topics().work(output.loop()).add(() -> releaseSome(closing));
        }
        touched.clear();
        if (pausedBy != null) {
            pausedBy.forget(resume);
            pausedBy = null;
        }
    }

    private boolean releaseSome(Iterator<ProducerHandle> closing) {
        for (int i = 0; i < HANDLES_PER_STEP && closing.hasNext(); i++) {
            release(closing.next());
        }
        return closing.hasNext();
    }

    Router router() {
        return output.loop().router();
    }

    /// Runs a command of this connection on its loop. Any thread.
    void execute(Runnable command) {
        output.loop().execute(output, command);
    }

    static void checkId(String what, int number) {
        if (number < 1 || number > Protocol.MAX_ID) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    what + ": expected 1 to " + Protocol.MAX_ID + ", found " + number);
        }
    }
}
