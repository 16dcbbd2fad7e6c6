package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;
import winnow.wire.Delivery;

/// What a consumer registered on a topic: its credit, and the deliveries that wait for credit. When
/// more bytes wait than the budget allows it says so ([BudgetListener]) and the topic's producers
/// get no more credit; nothing is dropped.
///
/// Owned by its connection's event loop; [#wants] may be called by any loop.
public final class Subscription {
    /// Highest credit kept, so that a client's additions cannot overflow.
    private static final long MAX_CREDIT = 1L << 40;

    private final int id;
    private final DeliveryTarget target;
    private final int loopIndex;
    private final boolean noLocal;
    private final BudgetListener listener;
    private final BacklogMemory memory;
    private final long budgetBytes;
    private final Backlog backlog;
    private long creditMessages;
    private long creditBytes;

    /// Whether the backlog has something; here so that a copy need not touch it.
    private boolean waiting;

    /// Whether the backlog exceeded its budget and is not below half of it again.
    private boolean full;

    private boolean overBudget;
    private boolean awaitingMemory;
    private boolean closed;

    /// @param budgetBytes bytes that may wait before producers are held back
    public Subscription(
            int id,
            DeliveryTarget target,
            boolean noLocal,
            BudgetListener listener,
            BacklogMemory memory,
            long budgetBytes) {
        this.id = id;
        this.target = target;
        this.loopIndex = target.loop().index();
        this.noLocal = noLocal;
        this.listener = listener;
        this.memory = memory;
        this.budgetBytes = budgetBytes;
        this.backlog = new Backlog(memory, target.loop().chunks());
    }

    /// Number that the client gave the subscription.
    public int id() {
        return id;
    }

    /// Where deliveries go.
    public DeliveryTarget target() {
        return target;
    }

    /// The loop that owns this subscription.
    public Loop loop() {
        return target.loop();
    }

    /// Index of [#loop]; here so that a copy need not touch target and loop.
    public int loopIndex() {
        return loopIndex;
    }

    /// Bytes that wait for credit. Owner only.
    public long backlogBytes() {
        return backlog.bytes();
    }

    /// Which limit is exceeded, for people. Owner only.
    public String overBudgetReason() {
        String has = "subscription " + id + " of " + target + " has " + backlog.bytes();
        return full
                ? has + " bytes waiting (subscription.buffer is " + budgetBytes + ")"
                : has
                        + " bytes waiting, and all together hold "
                        + memory.usedBytes()
                        + " (subscription.total-buffer is "
                        + memory.limitBytes()
                        + ")";
    }

    /// Whether a message of this producer may come here. Any loop.
    public boolean wants(@Nullable DeliveryTarget producer) {
        return !noLocal || !target.equals(producer);
    }

    /// A message for this subscription.
    ///
    /// @param message its number ([Loop#numberMessages])
    /// @param array holds the message block from `start` to `end`; borrowed
    /// @param maxNameId largest number of a property name in it
    public void onMessage(long message, byte[] array, int start, int end, int maxNameId) {
        assert loop().inLoop();
        if (closed) {
            return;
        }
        if (maxNameId > 0) {
            target.announceNames(maxNameId);
        }
        if (creditMessages > 0 && creditBytes > 0 && !waiting && target.writable()) {
            creditMessages--;
            creditBytes -= Delivery.frameBytes(id, end - start);
            target.deliver(message, id, array, start, end);
            return;
        }
        backlog.add(id, array, start, end);
        waiting = true;
        full |= backlog.bytes() > budgetBytes;
        if (!overBudget && (full || memory.exhausted())) {
            overBudget = true;
            listener.onOverBudget(this);
            relieve();
        }
    }

    /// More credit from the client.
    public void onCredit(int messages, int bytes) {
        creditMessages = Math.min(MAX_CREDIT, creditMessages + messages);
        creditBytes = Math.min(MAX_CREDIT, creditBytes + bytes);
        drain();
    }

    /// The socket takes bytes again.
    public void onWritable() {
        drain();
    }

    private void drain() {
        assert loop().inLoop();
        while (!backlog.isEmpty() && creditMessages > 0 && creditBytes > 0 && target.writable()) {
            long before = backlog.bytes();
            creditMessages -= backlog.drain(target, creditMessages, creditBytes);
            creditBytes -= before - backlog.bytes();
        }
        waiting = !backlog.isEmpty();
        relieve();
    }

    /// Lets the producers go on if too much waited and no longer does. Where only the memory of all
    /// is in the way, looks again when there is some.
    private void relieve() {
        full &= !backlog.isEmpty() && backlog.bytes() >= budgetBytes / 2;
        if (!overBudget || full) {
            return;
        }
        if (backlog.isEmpty() || !memory.exhausted()) {
            overBudget = false;
            listener.onRelieved(this);
        } else if (!awaitingMemory) {
            awaitingMemory = true;
            memory.await(this);
        }
    }

    /// There is memory again. Any thread.
    void onMemory() {
        loop().execute(
                        target,
                        () -> {
                            awaitingMemory = false;
                            relieve();
                        });
    }

    /// Ends the subscription: what waits is dropped, what comes is ignored.
    public void close() {
        assert loop().inLoop();
        closed = true;
        backlog.clear();
        waiting = false;
        if (awaitingMemory) {
            memory.forget(this);
        }
        if (overBudget) {
            overBudget = false;
            listener.onRelieved(this);
        }
    }
}
