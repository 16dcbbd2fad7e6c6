package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;
import winnow.wire.frame.Delivery;

/// Subscription of a consumer to a topic: its credit, and the deliveries that wait for credit. When
/// more bytes wait than the budget allows it is behind, and says so ([BudgetListener]): by the
/// topic's policy it goes on waiting, or the topic's producers get no more credit. Nothing is
/// dropped.
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
    private final boolean holdsBack;
    private final BacklogRuns backlog;
    private final BodyStreams streams;

    /// Its messages in parts, null before it has had one.
    private @Nullable SubscriptionBodies bodies;

    /// True while such a message is on its way, so that nothing else may be delivered.
    private boolean streaming;

    private long creditMessages;
    private long creditBytes;

    /// True if the backlog has something; here so that a copy need not touch it.
    private boolean waiting;

    /// True if the backlog exceeded its budget and is not below half of it again.
    private boolean full;

    private boolean overBudget;
    private boolean closed;

    /// Of what waited, what the client has taken.
    private long takenMessages;

    private long takenBytes;

    /// The segment that is being read for this subscription, null if none is.
    private @Nullable Segment awaited;

    /// One that gets no messages in parts.
    ///
    /// @param budgetBytes bytes of deliveries that may wait before the subscription is behind
    public Subscription(
            int id,
            DeliveryTarget target,
            boolean noLocal,
            BudgetListener listener,
            long budgetBytes) {
        this(id, target, noLocal, listener, budgetBytes, BodyStreams.NONE);
    }

    /// @param budgetBytes bytes of deliveries that may wait before the subscription is behind
    /// @param streams of its connection
    public Subscription(
            int id,
            DeliveryTarget target,
            boolean noLocal,
            BudgetListener listener,
            long budgetBytes,
            BodyStreams streams) {
        this.streams = streams;
        this.id = id;
        this.target = target;
        this.loopIndex = target.loop().index();
        this.noLocal = noLocal;
        this.listener = listener;
        this.messages = target.loop().waiting();
        this.budgetBytes = budgetBytes;
        this.holdsBack = listener.holdsBack();
        this.backlog = new BacklogRuns(id, messages);
    }

    /// Number that the client gave the subscription.
    public int id() {
        return id;
    }

    /// Target of the deliveries.
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

    /// True if something waits for credit. Owner only.
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
        return backlog.bytes() + (bodies == null ? 0 : bodies.waitingBytes());
    }

    /// The same without the body of the first message in parts that waits: that may be longer than
    /// all that may wait. Owner only.
    public long limitedBytes() {
        return backlog.bytes() + (bodies == null ? 0 : bodies.bytesBehindFirst());
    }

    /// Bytes of deliveries that may wait before it is behind.
    public long budgetBytes() {
        return budgetBytes;
    }

    /// True if its own budget is exceeded, or was and it has not come down to half of it. Owner
    /// only.
    public boolean full() {
        return full;
    }

    /// Number of messages that waited, and of parts of messages, that the client has taken. Owner
    /// only.
    public long takenMessages() {
        return takenMessages;
    }

    /// Bytes of their deliveries. Owner only.
    public long takenBytes() {
        return takenBytes;
    }

    /// True if it holds producers back for what waits for it alone. Any thread; may be of a moment
    /// ago.
    public boolean holdsBackAlone() {
        return full && holdsBack;
    }

    /// True if it has ended; what waited may still be on its way out. Any thread; may be of a
    /// moment ago.
    public boolean closed() {
        return closed;
    }

    /// Which limit is exceeded, for people. Any thread; the numbers may be of a moment ago.
    public String overBudgetReason() {
        String has = this + " has " + backlogBytes() + " bytes waiting";
        return holdsBackAlone()
                ? has + " (subscription.buffer is " + budgetBytes + ")"
                : has + ", and " + messages.memory().describe();
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
        onAdded();
    }

    /// A message in parts for this subscription.
    ///
    /// @param message its number ([Loop#numberMessages])
    /// @param array holds the message block up to the body, from `start` to `end`; as above
    /// @param maxNameId largest number of a property name in it
    /// @param body with a reference, which belongs to the subscription from now on
    public void onMessageInParts(
            long message, byte[] array, int start, int end, int maxNameId, LiveBody body) {
        assert loop().inLoop();
        if (closed) {
            body.release();
            return;
        }
        SubscriptionBodies its = bodies;
        if (its == null) {
            its = new SubscriptionBodies(this, messages.memory(), streams);
            bodies = its;
        }
        if (!waiting
                && ready(message, end - start)
                && announced(maxNameId)
                && streams.takes(this)) {
            begin(its, array, start, end, maxNameId, body);
            return;
        }
        its.add(message, body);
        backlog.add(message, array, start, end, maxNameId);
        onAdded();
    }

    private void begin(
            SubscriptionBodies its,
            byte[] array,
            int start,
            int end,
            int maxNameId,
            LiveBody body) {
        streaming = true;
        creditMessages--;
        creditBytes -= SubscriptionBodies.creditBytes(end - start, body);
        its.begin(array, start, end, maxNameId, body);
    }

    /// The client takes a message in parts: the next part is on its way.
    public void onBodyPart(int bytes) {
        takenMessages++;
        takenBytes += bytes;
    }

    /// All of the message in parts is in the connection's output.
    public void onBodyEnd() {
        endBody();
        drain();
    }

    /// The rest of the message in parts cannot be read: it costs no credit.
    public void onBodyGone() {
        creditMessages++;
        creditBytes += endBody();
        drain();
    }

    private long endBody() {
        streaming = false;
        return bodies == null ? 0 : bodies.end();
    }

    private void onAdded() {
        waiting = true;
        if (!full && limitedBytes() > budgetBytes) {
            full = true;
            listener.onBehind(this);
        }
        if (!overBudget && (holdsBackAlone() || messages.memory().exhausted())) {
            overBudget = true;
            listener.onOverBudget(this);
            relieve();
        }
    }

    private boolean ready(long message, int blockBytes) {
        return creditMessages > 0
                && creditBytes > 0
                && !streaming
                && target.takes(message, blockBytes);
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
        if (closed) {
            return;
        }
        long first = 0;
        int before = backlog.messages();
        long bytesBefore = backlogBytes();
        long begun = 0;
        while (!backlog.isEmpty()) {
            WaitingMessage next = backlog.first();
            if (next == null) {
                fetch();
                break;
            }
            if (!ready(next.number, next.end - next.start) || !announced(next.maxNameId)) {
                break;
            }
            if (before == backlog.messages()) {
                first = next.number;
            }
            if (bodies != null && bodies.isFirst(next.number) && !streams.takes(this)) {
                break;
            }
            LiveBody body = bodies == null ? null : bodies.take(next.number);
            if (body == null || bodies == null) {
                deliver(next.number, next.array, next.start, next.end);
            } else {
                begun += body.bytes();
                begin(bodies, next.array, next.start, next.end, next.maxNameId, body);
            }
            backlog.removeFirst();
        }
        int taken = before - backlog.messages();
        if (taken > 0) {
            takenMessages += taken;
            takenBytes += bytesBefore - backlogBytes() - begun;
            loop().onReleased(first, taken, target);
        }
        afterRemoval();
    }

    /// Has the oldest message read, if the client takes it.
    private void fetch() {
        if (awaited == null
                && creditMessages > 0
                && creditBytes > 0
                && !streaming
                && target.writable()) {
            backlog.fetchFirst(this);
        }
    }

    /// This segment is being read for it.
    void awaited(Segment segment) {
        awaited = segment;
    }

    /// The segment that was read for it is there.
    void onFetched() {
        awaited = null;
        if (!closed) {
            drain();
        }
    }

    /// The segment that was to be read for it cannot be read.
    void onLost(String why) {
        awaited = null;
        if (!closed) {
            loop().faults().run(target, () -> listener.onLost(this, why));
        }
    }

    /// Drops the oldest messages that wait until no more than `bytes` do. Those that are not in
    /// memory go by the segment and are not read, unless bodies in parts wait. Owner only.
    ///
    /// @return what was dropped
    public Dropped dropOldest(long bytes) {
        assert loop().inLoop();
        int messagesBefore = backlog.messages();
        long bytesBefore = backlogBytes();
        boolean fetching = false;
        while (!backlog.isEmpty() && limitedBytes() > bytes) {
            WaitingMessage first = backlog.first();
            if (first != null) {
                dropFirst(first);
            } else if (bodies == null || bodies.isEmpty()) {
                backlog.dropRun();
            } else {
                // Its number is needed, to find its body.
                fetching = true;
                backlog.fetchFirst(this);
                break;
            }
        }
        Dropped dropped =
                new Dropped(messagesBefore - backlog.messages(), bytesBefore - backlogBytes());
        afterRemoval();
        if (dropped.messages > 0 && !fetching && stopAwaiting()) {
            drain();
        }
        return dropped;
    }

    /// @return whether a segment was being read for it
    private boolean stopAwaiting() {
        Segment expected = awaited;
        if (expected == null) {
            return false;
        }
        messages.spilled().forget(this, expected);
        awaited = null;
        return true;
    }

    private void dropFirst(WaitingMessage first) {
        if (bodies != null) {
            bodies.drop(first.number);
        }
        backlog.removeFirst();
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
        if (full && (backlog.isEmpty() || limitedBytes() < budgetBytes / 2)) {
            full = false;
            listener.onCaughtUp(this);
        }
        if (!overBudget || holdsBackAlone()) {
            return;
        }
        if (backlog.isEmpty() || !messages.memory().exhausted()) {
            messages.awaiting().forget(this);
            overBudget = false;
            listener.onRelieved(this);
        } else {
            messages.awaiting().await(this);
        }
    }

    /// There is memory again.
    void onMemory() {
        relieve();
    }

    /// Ends the subscription: what waits is dropped, in steps if it is much, and what comes is
    /// ignored.
    public void close() {
        assert loop().inLoop();
        if (closed) {
            return;
        }
        closed = true;
        stopAwaiting();
        messages.awaiting().forget(this);
        if (bodies != null) {
            bodies.close();
        }
        clearSome();
    }

    private void clearSome() {
        if (!backlog.clearSome()) {
            loop().executeAfterReading(this::clearSome);
            return;
        }
        waiting = false;
        if (full) {
            full = false;
            listener.onCaughtUp(this);
        }
        if (overBudget) {
            overBudget = false;
            listener.onRelieved(this);
        }
    }

    /// For people.
    @Override
    public String toString() {
        return "subscription " + id + " of " + target;
    }
}
