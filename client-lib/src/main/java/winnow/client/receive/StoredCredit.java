package winnow.client.receive;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.WireSession;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// Credit for messages that the broker may send ahead to one consumer of a queue or a stored
/// subscription, and that others do not get meanwhile: nothing before the connection is started,
/// then a [PrefetchWindow]. When another consumer waits, what the application has not seen goes
/// back with all credit; it is given again when the application wants messages. Thread-safe.
public final class StoredCredit {
    private final PrefetchWindow window;

    /// Guards what follows, and the window. Innermost: nothing else is locked under it but the
    /// connection's output.
    private final ReentrantLock lock = new ReentrantLock();

    /// Known when the broker has accepted the consumer.
    private @Nullable WireSubscription subscription;

    private @Nullable WireSession session;

    /// True if the broker has credit, besides that of what has gone back to it by Recover.
    private boolean open;

    private boolean givingBack;

    /// True if there was a Recall before it was known that the broker has accepted the consumer.
    private boolean recalled;

    private boolean closed;
    private long askedNanos;

    /// Bytes of the message that a listener has, while its credit has not come back.
    private int inHand;

    private volatile long firstValid;
    private volatile @Nullable TransportException limit;
    private final AtomicBoolean asking = new AtomicBoolean();

    public StoredCredit(PrefetchWindow window) {
        this.window = window;
    }

    /// The consumer is asked for.
    ///
    /// @param wanted whether it gets its window at once
    public void begin(boolean wanted) {
        lock.lock();
        try {
            askedNanos = System.nanoTime();
            open = wanted;
            if (wanted) {
                window.open();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The connection is lost, and all credit with it. Nobody reads the socket now.
    public void forget() {
        lock.lock();
        try {
            subscription = null;
            session = null;
            open = false;
            givingBack = false;
            recalled = false;
            inHand = 0;
            firstValid = 0;
            limit = null;
            window.forgetConsumed();
        } finally {
            lock.unlock();
        }
    }

    /// The broker has accepted the consumer.
    ///
    /// @return whether another consumer waits already
    public boolean onAccepted(WireSession ofSession, WireSubscription accepted) {
        lock.lock();
        try {
            session = ofSession;
            subscription = accepted;
            window.onRoundTrip(System.nanoTime() - askedNanos);
            return recalled;
        } finally {
            lock.unlock();
        }
    }

    /// The application wants messages.
    public void open() {
        lock.lock();
        try {
            if (subscription != null && !open && !givingBack && !closed) {
                open = true;
                window.open();
                window.reopen(inHand > 0 ? 1 : 0, inHand);
                grant(subscription);
            }
        } finally {
            lock.unlock();
        }
    }

    private void grant(WireSubscription granted) {
        if (window.consumedMessages() > 0 || window.consumedBytes() > 0) {
            granted.grant(window.consumedMessages(), window.consumedBytes());
        }
        window.onGranted();
    }

    /// A listener is about to get a message.
    public void onHanded(int frameBytes) {
        if (limit != null) {
            limit = null;
        }
        lock.lock();
        try {
            inHand = frameBytes;
        } finally {
            lock.unlock();
        }
    }

    /// The listener is done with it.
    public void onReturned() {
        lock.lock();
        try {
            if (inHand > 0 && !open) {
                // It has gone back to the broker, which counts its credit.
                window.onGivenBack(inHand);
            }
            inHand = 0;
        } finally {
            lock.unlock();
        }
    }

    /// A message is gone from here, so that the broker may send another.
    ///
    /// @param passed whether it went past others: then it may have come without credit, as few may
    public void onConsumed(int frameBytes, boolean passed) {
        lock.lock();
        try {
            boolean handed = inHand > 0;
            inHand = 0;
            if (!open && handed) {
                // Its credit has gone back with all other.
                return;
            }
            if (passed) {
                window.onPassed(frameBytes);
            } else {
                window.onConsumed(frameBytes);
            }
            window.follow();
            boolean due = window.isGrantDue() || (passed && hasConsumedHalfOfPassing());
            if (due && open && subscription != null && !closed) {
                grant(subscription);
            }
        } finally {
            lock.unlock();
        }
    }

    /// True if half of what may come without credit is used up.
    private boolean hasConsumedHalfOfPassing() {
        return window.consumedMessages() >= Protocol.PASSING_MESSAGES / 2
                || window.consumedBytes() >= Protocol.PASSING_BYTES / 2;
    }

    /// A message whose credit was given back goes back to the broker.
    public void onGivenBack(int frameBytes) {
        lock.lock();
        try {
            window.onGivenBack(frameBytes);
        } finally {
            lock.unlock();
        }
    }

    /// A message that [#onGivenBack] was told of has not gone back.
    public void onNotGivenBack(int frameBytes) {
        lock.lock();
        try {
            if (open && subscription != null && !closed) {
                subscription.grant(1, frameBytes);
            } else {
                window.onConsumed(frameBytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /// True if a delivery has gone back to the broker, so that it must not be used.
    public boolean isVoid(long delivery) {
        return delivery < firstValid;
    }

    /// Gives back what the application has not seen. After Recover the broker may have sent that
    /// without credit from here. It must not be given a message while this is called.
    ///
    /// @param seen what it has received and not acknowledged
    /// @param onVoid called where the socket is read when all that has come is void
    /// @return the answer, null if nothing is given back
    public @Nullable CompletableFuture<@Nullable Void> giveBack(
            Supplier<DeliveryRanges> seen, Runnable onVoid) {
        WireSession of;
        WireSubscription giving;
        lock.lock();
        try {
            of = session;
            giving = subscription;
            if (of == null || giving == null) {
                recalled = true;
                return null;
            }
        } finally {
            lock.unlock();
        }
        DeliveryRanges ranges = seen.get();
        if (ranges.parts().size() > 1 || !beginGivingBack()) {
            return null;
        }
        firstValid = Long.MAX_VALUE;
        return of.giveBack(
                giving,
                ranges,
                next -> {
                    onVoid.run();
                    firstValid = next;
                });
    }

    private boolean beginGivingBack() {
        lock.lock();
        try {
            if (givingBack || closed) {
                return false;
            }
            open = false;
            givingBack = true;
            window.forgetConsumed();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Notes that what was given back has gone.
    public void onGaveBack() {
        lock.lock();
        try {
            givingBack = false;
        } finally {
            lock.unlock();
        }
    }

    /// Asks the broker for what others were sent ahead. Does not wait.
    public void ask() {
        WireSession of = session;
        WireSubscription waiting = subscription;
        if (of == null || waiting == null || !of.knowsRecall()) {
            return;
        }
        if (asking.compareAndSet(false, true)) {
            of.ask(waiting)
                    .whenComplete((none, failure) -> {
                        boolean limited =
                                failure instanceof TransportException refused
                                        && refused.code() == ErrorCode.LIMIT_EXCEEDED;
                        limit = limited ? (TransportException) failure : null;
                        asking.set(false);
                    });
        }
    }

    /// Reason why nothing comes before the session acknowledges, null if none is known.
    public @Nullable TransportException limit() {
        return limit;
    }

    /// The consumer has ended.
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
