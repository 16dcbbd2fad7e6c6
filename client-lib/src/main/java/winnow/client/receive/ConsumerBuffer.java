package winnow.client.receive;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.error.JmsErrors;
import winnow.client.log.ClientLog;
import winnow.client.message.MessageOrigin;
import winnow.client.message.ReceivedMessages;
import winnow.client.message.SpillSpace;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.DeliveryReceiver;
import winnow.client.transport.endpoint.TransportException;

/// The messages that one consumer has been sent and has not delivered: at most its prefetch window.
///
/// Three places, so that no lock is taken per message: `staged` belongs to who reads the socket and
/// is handed over at the end of a read; `arrived` and `returned` are guarded by the lock; `taken`
/// belongs to the session's thread of control, which fetches all that arrived when it is empty.
public final class ConsumerBuffer implements DeliveryReceiver {
    private static final Logger LOG = ClientLog.of(ConsumerBuffer.class);

    private volatile MessageOrigin origin;
    private final IncomingBody incoming;
    private final SpillSpace space;
    private final Room room;
    private final InboxOwner owner;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private PriorityOrder staged = new PriorityOrder();
    private PriorityOrder arrived = new PriorityOrder();
    private final ArrayDeque<WinnowMessage> returned = new ArrayDeque<>();
    private final PriorityOrder taken = new PriorityOrder();
    private volatile boolean hasReturned;

    /// The highest priority in `arrived`, -1 if there is nothing. Written under the lock.
    private volatile int arrivedTop = -1;

    /// Content of `staged`. Belongs to who reads the socket.
    private int stagedMessages;

    private long stagedBytes;

    /// Content of `arrived`. Written under the lock.
    private volatile int arrivedMessages;

    private volatile long arrivedBytes;

    /// All that has come. Guarded by the lock.
    private long totalMessages;

    private long totalBytes;

    /// Part of `taken` that has come.
    private final FetchedCount fetched = new FetchedCount();

    /// True if the message that was taken last went past others. Belongs to the thread of control.
    private boolean passed;

    /// True if nothing more will come. Belongs to who reads the socket.
    private boolean ended;

    private int waiting;
    private volatile boolean started;
    private boolean complete;
    private boolean closed;
    private @Nullable TransportException lost;

    /// Bounds of its content.
    ///
    /// @param window what the broker may send ahead
    /// @param maxMessageBytes of one message in the heap
    public record Room(PrefetchWindow window, int maxMessageBytes) {}

    /// @param space for the bodies of messages in parts
    public ConsumerBuffer(MessageOrigin origin, SpillSpace space, Room room, InboxOwner owner) {
        this.origin = origin;
        this.space = space;
        this.room = room;
        this.incoming = new IncomingBody(space);
        this.owner = owner;
    }

    /// Sets the origin of what comes next from another connection. Nobody reads the socket now.
    public void origin(MessageOrigin next) {
        incoming.forget();
        origin = next;
    }

    /// Messages that have come so far, and their bytes. Nobody reads the socket now.
    public LiveCredit.Total total() {
        lock.lock();
        try {
            return new LiveCredit.Total(totalMessages + stagedMessages, totalBytes + stagedBytes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onDelivery(byte[] block, int deliveryCount, int frameBytes) {
        stage(ReceivedMessages.of(block, origin, frameBytes, deliveryCount));
    }

    @Override
    public void onStoredDelivery(byte[] block, long delivery, int earlierDeliveries) {
        stage(ReceivedMessages.stored(block, origin, delivery, earlierDeliveries + 1));
    }

    @Override
    public boolean onDeliveryInParts(
            byte[] head, long delivery, int earlierDeliveries, int bodyBytes) {
        if (owner.isBrowsing()) {
            stage(ReceivedMessages.shown(head, bodyBytes, origin, earlierDeliveries + 1));
            return true;
        }
        long heapBytes = ReceivedMessages.staysInFile(head) ? 0 : (long) head.length + bodyBytes;
        boolean fits = heapBytes <= room.maxMessageBytes() && space.mayHold(bodyBytes);
        if (fits) {
            incoming.begin(origin, head, delivery, earlierDeliveries, bodyBytes);
        } else {
            incoming.drop(bodyBytes);
            onSkipped(delivery, head.length + bodyBytes);
        }
        return fits;
    }

    private void tellTooLong(long bytes) {
        LOG.warn(
                "a message of {} bytes from '{}' is not taken: at most {} bytes go to the heap"
                        + " (option maxMessageBytes), and a body to the disk only if there is room"
                        + " (option largeMessageDisk)",
                bytes,
                origin.destination(),
                room.maxMessageBytes());
    }

    @Override
    public void onSkipped(long delivery, int frameBytes) {
        tellTooLong(frameBytes);
        owner.onSkipped(delivery, frameBytes);
    }

    /// A message has come.
    ///
    /// @throws winnow.wire.WireException if the broker has sent more than it had credit for
    private void stage(WinnowMessage message) {
        // What was taken first: it may come from what has arrived meanwhile, and counts once.
        int messages = fetched.messages();
        long bytes = fetched.bytes();
        messages += stagedMessages + arrivedMessages;
        bytes += stagedBytes + arrivedBytes;
        room.window().checkArrival(messages, bytes);
        stagedMessages++;
        stagedBytes += message.frameBytes();
        staged.add(message);
    }

    @Override
    public boolean onDeliveryPart(byte[] array, int start, int end) {
        try {
            WinnowMessage whole = incoming.add(array, start, end);
            if (whole != null) {
                stage(whole);
            }
            return true;
        } catch (OutOfMemoryError e) {
            // Others take the heap that this one needs.
            LOG.warn("a message from '{}' does not fit into the heap now", origin.destination());
            int credit = incoming.giveUp();
            if (credit > 0) {
                owner.onSkipped(0, credit);
            }
            return false;
        }
    }

    @Override
    public void onDeliveryCut() {
        incoming.forget();
    }

    @Override
    public void onRecall() {
        owner.onRecall();
    }

    @Override
    public void onBrowseEnd() {
        ended = true;
    }

    @Override
    public void onBatchEnd() {
        lock.lock();
        try {
            if (closed) {
                staged.clear();
                forgetStaged();
                return;
            }
            if (arrived.isEmpty()) {
                PriorityOrder empty = arrived;
                arrived = staged;
                staged = empty;
            } else {
                arrived.addAll(staged);
            }
            arrivedTop = arrived.top();
            int messages = arrivedMessages;
            long bytes = arrivedBytes;
            arrivedMessages = messages + stagedMessages;
            arrivedBytes = bytes + stagedBytes;
            totalMessages += stagedMessages;
            totalBytes += stagedBytes;
            forgetStaged();
            complete = ended;
            if (waiting > 0) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        owner.onArrival();
    }

    private void forgetStaged() {
        stagedMessages = 0;
        stagedBytes = 0;
    }

    private void forgetArrived() {
        arrivedTop = -1;
        arrivedMessages = 0;
        arrivedBytes = 0;
    }

    @Override
    public boolean isReader() {
        return owner.isListening();
    }

    @Override
    public void onLent() {
        owner.onArrival();
    }

    /// The next message, null if there is none now. Thread of control.
    public @Nullable WinnowMessage poll() {
        if (hasReturned) {
            takeReturned();
        }
        if (arrivedTop > taken.top()) {
            takeArrived();
        }
        int priority = taken.top();
        passed = priority > 0 && taken.hasBelow(priority);
        WinnowMessage next = taken.poll();
        if (next == null) {
            room.window().onDrained();
        } else {
            onPolled(next);
            room.window().onTaken();
        }
        return next;
    }

    private void takeArrived() {
        lock.lock();
        try {
            taken.addAll(arrived);
            int messages = arrivedMessages;
            long bytes = arrivedBytes;
            // In this order: who reads the socket counts nothing twice.
            forgetArrived();
            fetched.add(messages, bytes);
        } finally {
            lock.unlock();
        }
    }

    private void onPolled(WinnowMessage message) {
        if (taken.isEmpty()) {
            fetched.forget();
        } else {
            fetched.add(-1, -message.frameBytes());
        }
    }

    /// True if the message that was polled last went past others, because of its priority. Thread
    /// of control.
    public boolean hasPassed() {
        return passed;
    }

    private void takeReturned() {
        lock.lock();
        try {
            while (!returned.isEmpty()) {
                taken.addFirst(returned.removeLast());
            }
            hasReturned = false;
        } finally {
            lock.unlock();
        }
    }

    /// Puts messages in front of all others, in their order. Any thread.
    public void putBack(Collection<WinnowMessage> messages) {
        lock.lock();
        try {
            if (!closed) {
                ArrayDeque<WinnowMessage> later = new ArrayDeque<>(returned);
                returned.clear();
                returned.addAll(messages);
                returned.addAll(later);
                hasReturned = !returned.isEmpty();
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something has come, at most for so long.
    ///
    /// @return whether something has
    /// @throws JMSException if the connection is lost
    public boolean awaitArrival(long nanos) throws JMSException {
        lock.lock();
        try {
            long rest = nanos;
            while (arrived.isEmpty() && !closed && rest > 0) {
                if (lost != null) {
                    throw JmsErrors.of(lost);
                }
                rest = await(rest);
            }
            return !arrived.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// True if nothing has come that was not taken. Thread of control.
    public boolean isDrained() {
        lock.lock();
        try {
            return taken.isEmpty() && arrived.isEmpty() && returned.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets what has come so far. Thread of control.
    public void discard() {
        lock.lock();
        try {
            taken.clear();
            fetched.forget();
            arrived.clear();
            forgetArrived();
            returned.clear();
            hasReturned = false;
        } finally {
            lock.unlock();
        }
    }

    /// Forgets what has come so far, but for what the thread of control has fetched. By who reads
    /// the socket.
    public void discardArrived() {
        incoming.forget();
        staged.clear();
        forgetStaged();
        lock.lock();
        try {
            arrived.clear();
            forgetArrived();
            // Behind the lock: the thread of control may have just fetched what arrived.
            fetched.forget();
            returned.clear();
            hasReturned = false;
        } finally {
            lock.unlock();
        }
    }

    /// True if something has come that was not fetched.
    public boolean hasArrived() {
        lock.lock();
        try {
            return !arrived.isEmpty() || !returned.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// True if [#take] returns no message any more.
    public boolean isEnded() {
        lock.lock();
        try {
            return closed || complete;
        } finally {
            lock.unlock();
        }
    }

    /// True if [#take] may return messages.
    public boolean isStarted() {
        return started;
    }

    /// Waits until the inbox is started and has a message. Thread of control.
    ///
    /// @param nanos longest wait, negative to wait without limit
    /// @return the message, or null if time is up, the inbox is closed, or a browser has had all
    /// @throws JMSException if the connection is lost
    public @Nullable WinnowMessage take(long nanos) throws JMSException {
        long rest = nanos;
        lock.lock();
        try {
            while (true) {
                if (closed) {
                    return null;
                }
                if (started) {
                    WinnowMessage next = poll();
                    if (next != null) {
                        return next;
                    }
                }
                if (complete) {
                    return null;
                }
                if (lost != null) {
                    throw JmsErrors.of(lost);
                }
                if (nanos >= 0 && rest <= 0) {
                    return null;
                }
                rest = await(nanos < 0 ? Long.MAX_VALUE : rest);
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the loop is in take()
    private long await(long nanos) throws JMSException {
        waiting++;
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            throw JmsErrors.interrupted("waiting for a message");
        } finally {
            waiting--;
        }
    }

    /// Lets [#take] return messages or makes it wait.
    public void started(boolean started) {
        lock.lock();
        try {
            this.started = started;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Makes [#take] fail when the messages that have come are used up.
    public void onLost(TransportException cause) {
        lock.lock();
        try {
            lost = cause;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets all messages; [#take] returns null from now on. Any thread.
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.clear();
            forgetArrived();
            returned.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
