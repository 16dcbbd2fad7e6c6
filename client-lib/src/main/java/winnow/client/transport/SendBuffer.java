package winnow.client.transport;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.message.NameTable;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.endpoint.Continuity;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;

/// Everything that one connection sends: publishes, which wait while their destination has no
/// credit and while [#MAX_PENDING_BYTES] wait for the socket, and control frames, which do not.
/// Appended to the pending bytes of [SocketWriter] under one short lock. Thread-safe.
final class SendBuffer {
    /// Pending bytes above which publishes wait: four reads of the broker.
    static final int MAX_PENDING_BYTES = 256 * 1024;

    /// Bytes of a Publish in front of its block at most: length, type, handle, flags, session.
    private static final int MAX_PUBLISH_HEADER_BYTES = 16;

    private static final Logger LOG = ClientLog.of(SendBuffer.class);

    /// A publish that waits this long says for whom.
    private static final long NOTICE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NOTICE_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Continuity continuity;
    private final PublishLedger confirmations = new PublishLedger();
    private final CreditGrants grants = new CreditGrants();
    private final PendingAcknowledgements acknowledgements = new PendingAcknowledgements();
    private final NameTable names;
    private final SocketWriter socket;
    private final SocketReader reader;
    private int waiting;
    private @Nullable TransportException closed;
    private volatile long connectionId;

    /// Longest frame that the broker takes; until Welcome, one of the handshake.
    private volatile int maxFrameBytes = Protocol.MAX_HANDSHAKE_FRAME_BYTES;

    SendBuffer(DirectSocket channel, SocketReader reader, NameTable names, Continuity continuity) {
        this.reader = reader;
        this.continuity = continuity;
        this.names = names;
        socket = new SocketWriter(channel, lock, this::beforeWrite);
    }

    /// Called when the pending bytes are about to be written: the last moment for grants and
    /// acknowledgements, and room for those that wait for it.
    private void beforeWrite(WireWriter pending) {
        writeGathered(pending);
        if (waiting > 0) {
            room.signalAll();
        }
    }

    /// Acknowledgements go first: they make room at the broker for what credit asks for.
    private void writeGathered(WireWriter pending) {
        acknowledgements.writeTo(pending);
        grants.writeTo(pending);
    }

    /// The part that writes the socket.
    SocketWriter socket() {
        return socket;
    }

    /// Takes what Welcome said.
    void onWelcome(ControlFrame.Welcome welcome) {
        lock.lock();
        try {
            connectionId = welcome.connectionId();
            maxFrameBytes = welcome.maxFrameBytes();
            boolean resumes = (welcome.capabilities() & Protocol.RESUME) != 0;
            confirmations.begin(resumes ? continuity.lastPublish() : 0);
        } finally {
            lock.unlock();
        }
    }

    /// Id of the connection, 0 before Welcome.
    long connectionId() {
        return connectionId;
    }

    /// Gives a message the next id of the connection.
    void assignId(WinnowMessage message) {
        message.assignId(connectionId, continuity.nextMessage());
    }

    /// Appends a Publish. The message has to be prepared.
    ///
    /// @param terms what becomes of it
    /// @param timeoutNanos longest wait for credit and for room
    /// @throws TransportException if the wait was too long, the frame is too long for the broker,
    ///   the message is sent once more and has changed, or the connection is closed
    void publish(PublishHandle handle, WinnowMessage message, PublishTerms terms, long timeoutNanos)
            throws TransportException, JMSException {
        WireWriter taken;
        lock.lock();
        try {
            long frameBytes = message.maxBlockBytes() + MAX_PUBLISH_HEADER_BYTES;
            if (frameBytes > maxFrameBytes) {
                throw tooLong("the message with its headers and properties", frameBytes);
            }
            awaitRoom(handle, timeoutNanos);
            if (names.hasRequests()) {
                askForNames();
            }
            append(handle, out -> writePublish(out, handle, message, terms), terms);
            taken = socket.onPublish(terms.isAwaited());
        } finally {
            lock.unlock();
        }
        if (taken != null) {
            socket.writeDirectly(taken);
        }
    }

    /// True if a message has to leave in parts: it is long, and its destination keeps messages or
    /// it does not fit into a frame.
    boolean wantsParts(PublishHandle handle, WinnowMessage message) throws JMSException {
        return message.bodyBytes() > Protocol.MAX_PART_BYTES
                && (handle.kind() == DestinationKind.QUEUE
                        || message.maxBlockBytes() > maxMessageBytes());
    }

    /// Bytes of the longest message that surely fits into a frame.
    int maxMessageBytes() {
        return maxFrameBytes - MAX_PUBLISH_HEADER_BYTES;
    }

    /// Writes a frame.
    @FunctionalInterface
    interface FrameWriter {
        void write(WireWriter out) throws JMSException;
    }

    /// Appends a frame of a message in parts.
    ///
    /// @param terms as in [#publish], with the last frame only, otherwise null
    /// @throws TransportException as [#publish], and if the broker has refused the message
    void publishFrame(
            PublishHandle handle,
            FrameWriter frame,
            @Nullable PublishTerms terms,
            long timeoutNanos)
            throws TransportException, JMSException {
        lock.lock();
        try {
            awaitRoom(handle, timeoutNanos);
            TransportException refused = handle.partsRefused();
            if (refused != null) {
                throw refused;
            }
            if (names.hasRequests()) {
                askForNames();
            }
            append(handle, frame, terms);
            socket.schedule();
        } finally {
            lock.unlock();
        }
    }

    /// Lets publishes that wait look again whether they may go on.
    void wake() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static void writePublish(
            WireWriter out, PublishHandle handle, WinnowMessage message, PublishTerms terms)
            throws JMSException {
        int begin = out.beginFrame(FrameType.PUBLISH);
        out.writeVarint(handle.number());
        Publish.writeFlags(out, terms.flags(), terms.number(), terms.session());
        message.writeBlock(out);
        out.endFrame(begin);
    }

    private void append(PublishHandle handle, FrameWriter frame, @Nullable PublishTerms terms)
            throws TransportException, JMSException {
        if (terms != null && terms.confirmation() != null && terms.number() != 0) {
            terms.confirmation().requireUnchanged();
        }
        WireWriter out = socket.pending();
        int begin = out.size();
        boolean whole = false;
        try {
            frame.write(out);
            handle.credit -= out.size() - begin;
            whole = true;
        } finally {
            if (!whole) {
                // Another thread has changed the message meanwhile, or there is no memory.
                out.truncate(begin);
            }
        }
        if (terms != null && terms.confirmation() != null) {
            add(terms.confirmation(), terms.number());
        }
    }

    private void add(PublishReply confirmation, long number) {
        boolean alone = confirmation.isAwaited() && confirmations.isEmpty();
        if (number == 0) {
            continuity.onPublish(confirmations.add(confirmation));
        } else {
            confirmations.add(confirmation, number);
        }
        reader.onPublish(alone);
    }

    private TransportException tooLong(String what, long frameBytes) {
        return new TransportException(
                ErrorCode.FRAME_TOO_LARGE,
                "%s is too long: expected at most %d bytes, found %d; the limit is the broker's"
                                .formatted(what, maxFrameBytes, frameBytes)
                        + " setting transport.max-frame");
    }

    private void askForNames() {
        for (String name : names.takeRequests()) {
            append(new ControlFrame.Intern(name));
        }
    }

    private void awaitRoom(PublishHandle handle, long timeoutNanos) throws TransportException {
        long rest = timeoutNanos;
        boolean told = false;
        while (isFull(handle)) {
            if (rest <= 0) {
                throw handle.timedOut(timeoutNanos);
            }
            long untilNotice = NOTICE_AFTER_NANOS - (timeoutNanos - rest);
            if (!told && untilNotice <= 0) {
                told = true;
                long begin = System.nanoTime();
                tellWait(handle);
                rest -= System.nanoTime() - begin;
            } else {
                rest -= awaitSignal(told ? rest : Math.min(rest, untilNotice));
            }
        }
        requireOpen();
    }

    private boolean isFull(PublishHandle handle) {
        return closed == null
                && handle.partsRefused() == null
                && (handle.credit <= 0 || socket.pending().size() >= MAX_PENDING_BYTES);
    }

    /// @return nanoseconds that it took
    @SuppressWarnings("WaitNotInLoop") // The caller asks again whether it is full.
    private long awaitSignal(long atMostNanos) throws TransportException {
        waiting++;
        reader.recall();
        try {
            return atMostNanos - room.awaitNanos(atMostNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    LocalFailure.INTERRUPTED, "interrupted while waiting for producer credit");
        } finally {
            waiting--;
        }
    }

    /// Says for whom a publish waits, without the lock, because a log may be slow. A producer that
    /// is held back again and again says so every ten seconds.
    private void tellWait(PublishHandle handle) {
        long now = System.nanoTime();
        if (handle.told && now - handle.toldNanos < NOTICE_PAUSE_NANOS) {
            return;
        }
        handle.told = true;
        handle.toldNanos = now;
        String why = handle.whyWaiting();
        lock.unlock();
        try {
            LOG.warn("waiting for more than a second to send to {}: {}", handle.name(), why);
        } finally {
            lock.lock();
        }
    }

    /// Reason that the broker gave for holding credit back for the destination, empty if it gives
    /// credit.
    String blockedReason(PublishHandle handle) {
        lock.lock();
        try {
            return Objects.requireNonNullElse(handle.blockedReason, "");
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() throws TransportException {
        TransportException reason = closed;
        if (reason != null) {
            throw reason;
        }
    }

    /// Appends a control frame; it does not wait for room.
    ///
    /// @throws TransportException if the frame is too long for the broker, or the connection is
    ///   closed
    void write(ControlFrame frame) throws TransportException {
        lock.lock();
        try {
            requireOpen();
            writeGathered(socket.pending());
            int begin = append(frame);
            int frameBytes = socket.pending().size() - begin - Protocol.LENGTH_BYTES;
            if (frameBytes > maxFrameBytes) {
                socket.pending().truncate(begin);
                throw tooLong(frame.getClass().getSimpleName(), frameBytes);
            }
            socket.schedule();
        } finally {
            lock.unlock();
        }
    }

    /// Appends a frame whole, or nothing of it.
    ///
    /// @return where it begins
    private int append(ControlFrame frame) {
        WireWriter out = socket.pending();
        int begin = out.size();
        boolean whole = false;
        try {
            frame.write(out);
            whole = true;
            return begin;
        } finally {
            if (!whole) {
                out.truncate(begin);
            }
        }
    }

    /// Adds to the credit of a subscription with the next flush; all grants of a flush share a
    /// frame.
    void grant(int subscriptionId, int messages, int bytes) {
        lock.lock();
        try {
            if (closed == null) {
                grants.add(subscriptionId, messages, bytes);
                socket.schedule();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Acknowledges a delivery with the next flush; those of a session share a frame.
    void acknowledge(int session, long delivery) {
        lock.lock();
        try {
            if (closed == null) {
                acknowledgements.add(session, delivery);
                socket.schedule();
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
                    writeGathered(socket.pending());
                    append(last);
                    socket.schedule();
                }
                room.signalAll();
            }
        } finally {
            lock.unlock();
        }
        names.close();
    }

    /// True if no thread waits for credit and no confirmation is to come.
    boolean isCalm() {
        lock.lock();
        try {
            return waiting == 0 && confirmations.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Removes all confirmations, because no answer can come any more. Event loop.
    List<UnansweredPublish> takeUnanswered() {
        lock.lock();
        try {
            return confirmations.takeAll();
        } finally {
            lock.unlock();
        }
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
    List<PublishReply> takeConfirmed(long count) {
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
