package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.message.NameTable;
import winnow.client.message.WinnowMessage;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Publish;
import winnow.wire.WireWriter;

/// Everything that one connection sends. Application threads append frames to the pending bytes
/// under a short lock and schedule one flush on the event loop if none is scheduled; the loop takes
/// all pending bytes at once. So a single message leaves at once, and while the loop writes, the
/// next batch grows.
///
/// A publish waits while its destination has no credit, and while [#MAX_PENDING_BYTES] wait for the
/// socket. Thread-safe.
final class Output {
    /// Pending bytes above which publishes wait: four reads of the broker.
    static final int MAX_PENDING_BYTES = 256 * 1024;

    private static final int INITIAL_BYTES = 4 * 1024;
    private static final int MAX_KEPT_BYTES = 1024 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Confirmations confirmations = new Confirmations();
    private final CreditGrants grants = new CreditGrants();
    private final NameTable names;
    private final Channel channel;
    private final Runnable flushTask = this::flush;
    private WireWriter pending = new WireWriter(INITIAL_BYTES);
    private WireWriter spare = new WireWriter(INITIAL_BYTES);
    private boolean flushScheduled;
    private int waiting;
    private @Nullable TransportException closed;
    private long connectionId;
    private int maxFrameBytes;
    private long lastSequence;
    private long lastWriteNanos = System.nanoTime();

    Output(Channel channel, NameTable names) {
        this.channel = channel;
        this.names = names;
    }

    /// Takes what Welcome said.
    void onWelcome(ControlFrame.Welcome welcome) {
        lock.lock();
        try {
            connectionId = welcome.connectionId();
            maxFrameBytes = welcome.maxFrameBytes();
        } finally {
            lock.unlock();
        }
    }

    /// Appends a Publish and gives the message its id.
    ///
    /// @param confirmation called when the broker has answered; null to ask for no answer
    /// @param timeoutNanos longest wait for credit and for room
    /// @throws TransportException if the wait was too long, the frame is too long for the broker,
    ///   or the connection is closed
    void publish(
            PublishHandle handle,
            WinnowMessage message,
            boolean withMessageId,
            @Nullable Confirmation confirmation,
            long timeoutNanos)
            throws TransportException, JMSException {
        message.prepare(names);
        boolean schedule;
        lock.lock();
        try {
            requireFrameFits(message.maxBlockBytes() + 16);
            awaitRoom(handle, timeoutNanos);
            if (names.hasRequests()) {
                askForNames();
            }
            message.assignId(connectionId, withMessageId ? ++lastSequence : 0);
            WireWriter out = pending;
            int begin = out.beginFrame(FrameType.PUBLISH);
            out.writeVarint(handle.number());
            out.writeByte(confirmation == null ? 0 : Publish.CONFIRM);
            message.writeBlock(out);
            out.endFrame(begin);
            handle.credit -= out.size() - begin;
            if (confirmation != null) {
                confirmations.add(confirmation);
            }
            schedule = !flushScheduled;
            flushScheduled = true;
        } finally {
            lock.unlock();
        }
        if (schedule) {
            channel.eventLoop().execute(flushTask);
        }
    }

    private void requireFrameFits(long frameBytes) throws TransportException {
        if (frameBytes > maxFrameBytes) {
            throw new TransportException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "expected a message of at most %d bytes, which is the broker's limit, found %d"
                            .formatted(maxFrameBytes, frameBytes));
        }
    }

    private void askForNames() {
        for (String name : names.takeRequests()) {
            new ControlFrame.Intern(name).write(pending);
        }
    }

    private void awaitRoom(PublishHandle handle, long timeoutNanos) throws TransportException {
        long rest = timeoutNanos;
        while (closed == null && (handle.credit <= 0 || pending.size() >= MAX_PENDING_BYTES)) {
            if (rest <= 0) {
                throw timedOut(handle, timeoutNanos);
            }
            waiting++;
            try {
                rest = room.awaitNanos(rest);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(
                        ErrorCode.NONE, "interrupted while waiting for producer credit", e);
            } finally {
                waiting--;
            }
        }
        requireOpen();
    }

    private static TransportException timedOut(PublishHandle handle, long timeoutNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
        String reason = handle.blockedReason;
        String why;
        if (reason != null) {
            why = "the broker says: " + reason;
        } else if (handle.credit <= 0) {
            why = "the broker gave no credit and no reason";
        } else {
            why = "the broker does not read from the connection";
        }
        return new TransportException(
                ErrorCode.LIMIT_EXCEEDED,
                "could not send to %s within %d ms (sendTimeout): %s"
                        .formatted(handle.name(), millis, why));
    }

    private void requireOpen() throws TransportException {
        TransportException reason = closed;
        if (reason != null) {
            throw reason.again();
        }
    }

    /// Appends a control frame; it does not wait for room.
    ///
    /// @throws TransportException if the connection is closed
    void write(ControlFrame frame) throws TransportException {
        lock.lock();
        try {
            requireOpen();
            append(frame);
        } finally {
            lock.unlock();
        }
    }

    private void append(ControlFrame frame) {
        grants.writeTo(pending);
        frame.write(pending);
        schedule();
    }

    /// Adds to the credit of a subscription with the next flush; all grants of a flush share a
    /// frame.
    void grant(int subscriptionId, int messages, int bytes) {
        lock.lock();
        try {
            if (closed == null) {
                grants.add(subscriptionId, messages, bytes);
                schedule();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Appends a last frame; whatever comes later fails with `reason`, as do the publishes that
    /// wait.
    ///
    /// @param last frame to send, null if the connection is gone
    void close(TransportException reason, ControlFrame.@Nullable Goodbye last) {
        lock.lock();
        try {
            if (closed == null) {
                closed = reason;
                if (last != null) {
                    append(last);
                }
                room.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Removes all confirmations, because no answer can come any more. Event loop.
    List<Confirmation> takeUnanswered() {
        lock.lock();
        try {
            return confirmations.takeAll();
        } finally {
            lock.unlock();
        }
    }

    private void schedule() {
        if (!flushScheduled) {
            flushScheduled = true;
            channel.eventLoop().execute(flushTask);
        }
    }

    /// Writes what is pending. Event loop. While the socket takes no more, the pending bytes stay
    /// and [#onWritable] continues.
    private void flush() {
        if (!channel.isWritable()) {
            return;
        }
        WireWriter taken;
        lock.lock();
        try {
            flushScheduled = false;
            grants.writeTo(pending);
            taken = pending;
            pending = spare;
            spare = taken;
            if (waiting > 0) {
                room.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (taken.size() > 0) {
            ByteBuf out = channel.alloc().directBuffer(taken.size());
            out.writeBytes(taken.array(), 0, taken.size());
            recycle(taken);
            lastWriteNanos = System.nanoTime();
            // May come back here through onWritable, so nothing may be left to do behind it.
            channel.writeAndFlush(out, channel.voidPromise());
        }
    }

    private void recycle(WireWriter taken) {
        taken.clear();
        if (taken.array().length > MAX_KEPT_BYTES) {
            spare = new WireWriter(INITIAL_BYTES);
        }
    }

    /// The socket takes bytes again. Event loop.
    void onWritable() {
        lock.lock();
        try {
            if (!flushScheduled) {
                return;
            }
        } finally {
            lock.unlock();
        }
        flush();
    }

    /// Whether nothing waits for the socket.
    boolean isEmpty() {
        lock.lock();
        try {
            return pending.size() == 0;
        } finally {
            lock.unlock();
        }
    }

    /// When the last bytes were handed to the socket, by `System.nanoTime`. Event loop.
    long lastWriteNanos() {
        return lastWriteNanos;
    }

    /// Credit for a destination came. Event loop.
    void onCredit(PublishHandle handle, int bytes) {
        lock.lock();
        try {
            handle.credit += bytes;
            handle.blockedReason = null;
            if (waiting > 0) {
                room.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The broker holds credit back. Event loop.
    void onBlocked(PublishHandle handle, String reason) {
        lock.lock();
        try {
            handle.blockedReason = reason;
        } finally {
            lock.unlock();
        }
    }

    /// Removes the confirmed publishes up to `count`. Event loop.
    List<Confirmation> takeConfirmed(long count) {
        lock.lock();
        try {
            return confirmations.takeUpTo(count);
        } finally {
            lock.unlock();
        }
    }

    /// Notes that a confirmed publish was refused. Event loop.
    void onRefused(long sequence, TransportException reason) {
        lock.lock();
        try {
            confirmations.refuse(sequence, reason);
        } finally {
            lock.unlock();
        }
    }
}
