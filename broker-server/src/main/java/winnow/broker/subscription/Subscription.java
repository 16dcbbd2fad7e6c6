package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;
import winnow.wire.Delivery;

/// What a consumer registered on a topic: its credit, and the deliveries that wait for credit. When
/// more bytes wait than the budget allows it says so ([BudgetListener]) and the topic's producers
/// get no more credit; nothing is dropped.
///
/// Owned by its connection's event loop; [#wants] may be called by any loop.
public final class Subscription extends Recipient {
    /// Highest credit kept, so that a client's additions cannot overflow.
    private static final long MAX_CREDIT = 1L << 40;

    private final int id;
    private final DeliveryTarget target;
    private final int loopIndex;
    private final boolean noLocal;
    private final BudgetListener listener;
    private final WaitingMessages messages;
    private final long budgetBytes;
    private final Backlog backlog;
    private long creditMessages;
    private long creditBytes;

    /// Whether the backlog has something; here so that a copy need not touch it.
    private boolean waiting;

    /// Whether the backlog exceeded its budget and is not below half of it again.
    private boolean full;

    private boolean overBudget;
    private boolean closed;

    /// @param budgetBytes bytes of deliveries that may wait before producers are held back
    public Subscription(
            int id,
            DeliveryTarget target,
            boolean noLocal,
            BudgetListener listener,
            long budgetBytes) {
        this.id = id;
        this.target = target;
        this.loopIndex = target.loop().index();
        this.noLocal = noLocal;
        this.listener = listener;
        this.messages = target.loop().waiting();
        this.budgetBytes = budgetBytes;
        this.backlog = new Backlog(id, messages);
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

    /// Whether something waits for credit. Owner only.
    public boolean waiting() {
        return waiting;
    }

    /// Messages that wait for credit. Owner only.
    public int backlogMessages() {
        return backlog.messages();
    }

    @Override
    public String client() {
        return target.toString();
    }

    /// Bytes that wait for credit. Owner only.
    @Override
    public long backlogBytes() {
        return backlog.bytes();
    }

    /// Bytes of deliveries that may wait before producers are held back.
    public long budgetBytes() {
        return budgetBytes;
    }

    /// Whether its own budget is exceeded, or was and it has not come down to half of it. Owner
    /// only.
    public boolean full() {
        return full;
    }

    /// Number of the oldest message that waits, -1 if there is none. Owner only.
    public long oldestWaiting() {
        return backlog.isEmpty() ? -1 : backlog.first().number;
    }

    /// Which limit is exceeded, for people. Any thread; the numbers may be of a moment ago.
    public String overBudgetReason() {
        BacklogMemory memory = messages.memory();
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

    @Override
    public boolean wants(@Nullable Publisher producer) {
        return (!noLocal || !target.equals(producer)) && existedFor(producer);
    }

    /// A message for this subscription.
    ///
    /// @param message its number ([Loop#numberMessages])
    /// @param array holds the message block from `start` to `end`; borrowed, but for a block of
    ///   more than [winnow.wire.FrameSplitter#SCRATCH_BYTES], which must never be changed
    /// @param maxNameId largest number of a property name in it
    public void onMessage(long message, byte[] array, int start, int end, int maxNameId) {
        assert loop().inLoop();
        if (closed) {
            return;
        }
        if (!waiting && ready(message, end - start) && announced(maxNameId)) {
            deliver(message, array, start, end);
            return;
        }
        backlog.add(message, array, start, end, maxNameId);
        waiting = true;
        full |= backlog.bytes() > budgetBytes;
        if (!overBudget && (full || messages.memory().exhausted())) {
            overBudget = true;
            listener.onOverBudget(this);
            relieve();
        }
    }

    private boolean ready(long message, int blockBytes) {
        return creditMessages > 0 && creditBytes > 0 && target.takes(message, blockBytes);
    }

    private boolean announced(int maxNameId) {
        return maxNameId == 0 || target.announceNames(maxNameId);
    }

    private void deliver(long message, byte[] array, int start, int end) {
        creditMessages--;
        creditBytes -= Delivery.frameBytes(id, end - start);
        target.deliver(message, id, array, start, end);
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
        long first = oldestWaiting();
        int before = backlog.messages();
        while (!backlog.isEmpty()) {
            WaitingMessage next = backlog.first();
            if (!ready(next.number, next.end - next.start) || !announced(next.maxNameId)) {
                break;
            }
            deliver(next.number, next.array, next.start, next.end);
            backlog.removeFirst();
        }
        if (before > backlog.messages()) {
            loop().onReleased(first, before - backlog.messages(), target);
        }
        afterRemoval();
    }

    /// Drops the oldest messages that wait until no more than `bytes` do. Owner only.
    ///
    /// @return what was dropped
    public Dropped dropOldest(long bytes) {
        assert loop().inLoop();
        int messagesBefore = backlog.messages();
        long bytesBefore = backlog.bytes();
        while (!backlog.isEmpty() && backlog.bytes() > bytes) {
            backlog.removeFirst();
        }
        Dropped dropped =
                new Dropped(messagesBefore - backlog.messages(), bytesBefore - backlog.bytes());
        afterRemoval();
        return dropped;
    }

    /// Messages that were dropped, and the bytes of their deliveries.
    public record Dropped(int messages, long bytes) {}

    private void afterRemoval() {
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
        if (backlog.isEmpty() || !messages.memory().exhausted()) {
            messages.forget(this);
            overBudget = false;
            listener.onRelieved(this);
        } else {
            messages.await(this);
        }
    }

    /// There is memory again.
    void onMemory() {
        relieve();
    }

    /// Ends the subscription: what waits is dropped, what comes is ignored.
    public void close() {
        assert loop().inLoop();
        closed = true;
        backlog.clear();
        waiting = false;
        full = false;
        messages.forget(this);
        if (overBudget) {
            overBudget = false;
            listener.onRelieved(this);
        }
    }
}
