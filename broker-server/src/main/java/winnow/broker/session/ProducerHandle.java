package winnow.broker.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.BlockedProducer;
import winnow.broker.destination.Destination;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.BlockReason;
import winnow.broker.routing.Router;
import winnow.broker.subscription.ProducerCredit;
import winnow.wire.frame.ControlFrame;

/// A destination that a connection publishes to, with the credit of its producers. The window is
/// granted when the handle is opened; credit comes back as messages are routed or stored, in
/// quarters of the window (one small frame for 128 KiB of messages). All of it is held back while
/// it is blocked, so that who opens handles again and again gets no more than who keeps one. The
/// window is taken from the credit of all producers: where they are many it is smaller at first.
/// Owned by the connection's event loop.
final class ProducerHandle implements BlockedProducer {
    private final int number;
    private final Destination destination;
    private final @Nullable Topic topic;
    private final Producers producers;
    private final ProducerCredit credit;
    private final int wantedBytes;
    private int windowBytes;
    private long creditBytes;
    private int owedBytes;
    private boolean granted;
    private @Nullable BlockReason heldBack;
    private boolean released;
    private long inParts;

    /// @param credit of all producers
    /// @param wantedBytes the window
    ProducerHandle(
            int number,
            Destination destination,
            Producers producers,
            ProducerCredit credit,
            int wantedBytes) {
        this.number = number;
        this.destination = destination;
        this.topic = destination instanceof Topic one ? one : null;
        this.producers = producers;
        this.credit = credit;
        this.wantedBytes = wantedBytes;
        widen();
    }

    /// Makes the window as large as the credit of all producers permits.
    private void widen() {
        int before = windowBytes;
        windowBytes = credit.take(before, wantedBytes);
        owedBytes += windowBytes - before;
    }

    int number() {
        return number;
    }

    Destination destination() {
        return destination;
    }

    /// The destination if it is a topic, else null.
    @Nullable Topic topic() {
        return topic;
    }

    /// A frame of this size arrived.
    ///
    /// @return false if the client had no credit for it
    boolean charge(int frameBytes, int maxFrameBytes) {
        creditBytes -= frameBytes;
        return granted && creditBytes >= -(long) maxFrameBytes;
    }

    /// The number of the next message in parts: 1, 2, …
    long nextInParts() {
        return ++inParts;
    }

    /// Frames that came have been routed or stored: their credit is due.
    void owe(int frameBytes) {
        owedBytes += frameBytes;
    }

    /// True if what came is more than what the client had credit for.
    boolean overdrawn() {
        return creditBytes < 0;
    }

    /// Reason why a message beyond the credit is refused.
    String tooMuch(int bytes) {
        return "a message of "
                + bytes
                + " bytes, beyond the credit of handle "
                + number
                + ", while more waits for consumers than subscription.total-buffer allows; "
                + blockReason();
    }

    /// Reason for which producers are held back. Only those are told which consumers it is who may
    /// see them.
    private String blockReason() {
        String reason = destination.blockReason();
        return reason.isEmpty() || producers.identity().sees(destination)
                ? reason
                : "topic '"
                        + destination.name()
                        + "': its consumers have not taken what was sent to them";
    }

    /// Gives credit back if enough is owed and nothing holds it.
    void settle() {
        if (owedBytes < windowBytes / 4 || heldBack != null || released || producers.draining()) {
            return;
        }
        Router router = producers.router();
        if (destination.blocked()) {
            holdBack();
        } else if (router.congested()) {
            heldBackBy(BlockReason.LOOP_LAG);
            router.await(this);
        } else {
            if (windowBytes < wantedBytes) {
                widen();
            }
            granted = true;
            creditBytes += owedBytes;
            producers.grant(number, owedBytes);
            owedBytes = 0;
        }
    }

    /// Gives no credit until the topic is free, and says why.
    void holdBack() {
        if (heldBack == null && !released) {
            heldBackBy(destination.blockedBy());
            producers.onHeldBack(new ControlFrame.Blocked(number, blockReason()));
            destination.await(this);
        }
    }

    @Override
    public void onUnblocked() {
        producers.execute(this::retry);
    }

    private void heldBackBy(BlockReason reason) {
        heldBack = reason;
        producers.router().counters().onBlocked(reason);
        Instant since = Instant.now();
        destination.onHeld(this, () -> producers.identity().heldProducer(reason, since));
    }

    private void free() {
        BlockReason reason = heldBack;
        if (reason != null) {
            heldBack = null;
            destination.onFreed(this);
            producers.router().counters().onFreed(reason);
        }
    }

    private void retry() {
        free();
        settle();
        producers.flushCredit();
    }

    void release() {
        released = true;
        credit.give(windowBytes);
        if (heldBack != null) {
            destination.forget(this);
            producers.router().forget(this);
            free();
        }
    }
}
