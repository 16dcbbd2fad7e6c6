package winnow.broker.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.BlockedProducer;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.Router;
import winnow.broker.destination.Topic;
import winnow.broker.subscription.Loop;
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
    private final SessionContext context;
    private final Output output;
    private final MessageBlock block = new MessageBlock();
    private final List<ProducerHandle> touched = new ArrayList<>();
    private final WireWriter grants = new WireWriter(64);
    private @Nullable ProducerHandle[] handles = new @Nullable ProducerHandle[4];
    private final BlockedProducer resume = () -> loop().execute(this::resumeReading);
    private @Nullable ProducerHandle last;
    private @Nullable Topic pausedBy;
    private int openHandles;
    private long confirmable;
    private long confirmed;
    private int grantMark = -1;
    private boolean draining;

    Producers(SessionContext context, Output output) {
        this.context = context;
        this.output = output;
    }

    void onOpen(ControlFrame.Open open) {
        int number = open.handle();
        checkId("handle", number);
        if (handle(number) != null) {
            throw new RefusedException(
                    ErrorCode.DUPLICATE_ID, "handle " + number + " is open already");
        }
        if (openHandles >= context.config().maxHandles()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-handles is " + context.config().maxHandles());
        }
        Topic topic = context.topics().acquire(open.name());
        if (number >= handles.length) {
            handles = Arrays.copyOf(handles, Math.max(number + 1, handles.length * 2));
        }
        int window = context.config().producerWindow().toInt();
        handles[number] = new ProducerHandle(number, topic, this, window);
        openHandles++;
    }

    /// Grants an opened handle its window, unless its topic is blocked.
    void onOpened(int number) {
        ProducerHandle opened = handle(number);
        if (opened != null) {
            opened.settle();
            flushGrants();
        }
    }

    void onRelease(int number) {
        ProducerHandle handle = handle(number);
        if (handle == null) {
            throw new WireException(
                    ErrorCode.UNKNOWN_HANDLE, "Release: handle " + number + " is not open");
        }
        handles[number] = null;
        openHandles--;
        handle.release();
        if (handle == last) {
            last = null;
        }
        context.topics().release(handle.topic());
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
        ProducerHandle handle = handle(number);
        if (handle == null) {
            long sequence = (flags & Publish.CONFIRM) != 0 ? confirmable : 0;
            refuse(sequence, number, ErrorCode.UNKNOWN_HANDLE, "handle " + number + " is not open");
            return;
        }
        if (!handle.charge(frameBytes, context.maxFrameBytes())) {
            throw new WireException(
                    ErrorCode.FLOW_CONTROL_VIOLATION,
                    "Publish: no credit left on handle " + number);
        }
        last = handle;
        router().route(handle.topic(), block, output);
        if (touched.isEmpty() || touched.get(touched.size() - 1) != handle) {
            touched.add(handle);
        }
    }

    /// What was read so far has been delivered. Where the memory for what waits is used up, the
    /// client is not read until its topic is free, because the credit it has may stand for much
    /// more memory: a copy for each subscription. Credit alone bounds a client that consumes, too:
    /// it must be read, or nothing would ever leave.
    void onDelivered(boolean producesOnly) {
        if (!producesOnly || last == null || !context.backlogMemory().exhausted()) {
            return;
        }
        if (pausedBy == null && last.topic().blocked()) {
            last.holdBack();
            pausedBy = last.topic();
            output.pauseReading(true);
            pausedBy.await(resume);
        }
    }

    private void resumeReading() {
        pausedBy = null;
        output.pauseReading(false);
    }

    private void refuse(long sequence, int number, ErrorCode code, String message) {
        context.counters().refusals.increment();
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
        context.counters().producersBlocked.increment();
        output.write(blocked);
    }

    /// Gives no more credit: the broker is stopping.
    void drain() {
        draining = true;
    }

    boolean draining() {
        return draining;
    }

    void close() {
        for (ProducerHandle handle : handles) {
            if (handle != null) {
                handle.release();
                context.topics().release(handle.topic());
            }
        }
        Arrays.fill(handles, null);
        touched.clear();
        last = null;
        if (pausedBy != null) {
            pausedBy.forget(resume);
        }
    }

    Router router() {
        return output.loop().router();
    }

    Loop loop() {
        return output.loop();
    }

    private @Nullable ProducerHandle handle(int number) {
        return number < handles.length ? handles[number] : null;
    }

    static void checkId(String what, int number) {
        if (number < 1 || number > Protocol.MAX_ID) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    what + ": expected 1 to " + Protocol.MAX_ID + ", found " + number);
        }
    }
}
