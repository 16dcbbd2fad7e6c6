package winnow.client.receive;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.WireException;

/// Limit of what the broker may send ahead to one consumer, so that it fits into its share of the
/// heap, with the credit that has to be granted again. Not thread-safe: its consumer's
/// acknowledgement mode guards it.
///
/// If others wait for what one consumer is sent ahead, the window follows its pace: as many
/// messages as it needs to stay busy for [#BUSY_NANOS] and a round trip. It begins with
/// [#FIRST_MESSAGES], and doubles or halves at most with each quarter that is consumed, so that a
/// pause does not empty it.
public final class PrefetchWindow {
    /// Time for which a consumer has messages: longer than the pauses of a busy machine, and too
    /// short for others to notice that they wait.
    static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /// First window of one that follows its consumer's pace.
    static final int FIRST_MESSAGES = 16;

    /// Longest round trip that counts: a broker may answer late for other reasons.
    private static final long MAX_ROUND_TRIP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// Heap bytes of a message besides those of its frame: the message, its array's header and its
    /// places in the queues of [ConsumerBuffer]. Objects are larger on a heap of more than 32 GiB.
    public static final int MESSAGE_HEAP_BYTES = 224;

    /// Part of the heap that messages take, at most; the rest is for the bytes of their frames.
    private static final double MESSAGES_PART = 7.0 / 8;

    /// Part of the window after which consumed credit is given back: rarely enough to cost nothing,
    /// early enough that the broker never runs out of it.
    private static final int GRANT_PART = 4;

    private final int maxMessages;
    private final int bytes;
    private final int grantBytes;

    /// Null if the window is always the same.
    private final @Nullable ConsumptionPace pace;

    /// Written under the guard, read by any thread.
    private volatile int messages;

    private long roundTripNanos;
    private int consumedMessages;
    private int consumedBytes;

    /// Messages that were consumed and may have come without credit. What the window has become
    /// smaller by is not taken from these: the broker sends few of them beyond its credit.
    private int passedMessages;

    private int heldMessages;
    private long heldBytes;
    private boolean told;
    private volatile boolean opened;
    private volatile int mostUnsettled;
    private volatile long mostUnsettledBytes;

    /// @param maxMessages messages at most
    /// @param heapBytes what they may take on the heap
    /// @param pace that it follows, null if it is always the same
    public PrefetchWindow(int maxMessages, int heapBytes, @Nullable ConsumptionPace pace) {
        int fitting = (int) (heapBytes * MESSAGES_PART / MESSAGE_HEAP_BYTES);
        this.maxMessages = Math.max(1, Math.min(maxMessages, fitting));
        bytes = Math.max(1, heapBytes - this.maxMessages * MESSAGE_HEAP_BYTES);
        grantBytes = Math.max(1, bytes / GRANT_PART);
        this.pace = pace;
        messages = pace == null ? this.maxMessages : Math.min(FIRST_MESSAGES, this.maxMessages);
    }

    private int grantMessages() {
        return Math.max(1, messages / GRANT_PART);
    }

    /// The broker took so long to answer.
    void onRoundTrip(long nanos) {
        roundTripNanos = Math.min(nanos, MAX_ROUND_TRIP_NANOS);
    }

    /// The application gets a message. Thread of control.
    void onTaken() {
        if (pace != null) {
            pace.onTaken(grantMessages());
        }
    }

    /// The application is done with what it got, and there is nothing else. Thread of control.
    void onDrained() {
        if (pace != null) {
            pace.onDrained();
        }
    }

    /// Becomes larger or smaller, if the pace was measured anew.
    void follow() {
        long nanos = pace == null ? 0 : pace.next();
        if (nanos > 0) {
            int before = messages;
            messages = Math.max((before + 1) / 2, Math.min(wanted(nanos), 2 * before));
            consumedMessages += messages - before;
        }
    }

    /// Messages for which the application is busy long enough.
    private int wanted(long nanosPerMessage) {
        long others = (BUSY_NANOS + roundTripNanos - 1) / nanosPerMessage;
        return (int) Math.min(1 + others, maxMessages);
    }

    /// The broker gets credit for the first time.
    public void open() {
        opened = true;
    }

    /// So many messages of the broker's are with the application and have given their credit back:
    /// if they go back to the broker, it has that credit besides the window.
    public void onUnsettled(int count, long countBytes) {
        if (count > mostUnsettled) {
            mostUnsettled = count;
        }
        if (countBytes > mostUnsettledBytes) {
            mostUnsettledBytes = countBytes;
        }
    }

    /// One more message comes. By who reads the socket.
    ///
    /// @param waiting messages that have come and that nobody has fetched
    /// @param waitingBytes of these
    /// @throws WireException if the broker cannot have credit for it
    void checkArrival(int waiting, long waitingBytes) {
        long most = opened ? maxMessages + (long) mostUnsettled + Protocol.PASSING_MESSAGES : 0;
        long mostBytes = bytes + mostUnsettledBytes + Protocol.PASSING_BYTES;
        if (waiting >= most || waitingBytes >= mostBytes) {
            throw new WireException(
                    ErrorCode.FLOW_CONTROL_VIOLATION,
                    "expected no more than the credit of a consumer, %d messages and %d bytes,"
                                    .formatted(most, mostBytes)
                            + " found one more behind %d messages and %d bytes"
                                    .formatted(waiting, waitingBytes));
        }
    }

    /// Its size: the first credit in messages.
    public int messages() {
        return messages;
    }

    /// The first credit in bytes of delivery frames.
    public int bytes() {
        return bytes;
    }

    /// A message is gone from here.
    public void onConsumed(int frameBytes) {
        consumedMessages++;
        consumedBytes += frameBytes;
    }

    /// The same of a message that went past others.
    void onPassed(int frameBytes) {
        onConsumed(frameBytes);
        passedMessages++;
    }

    /// A message was delivered, and is kept until it is acknowledged.
    public void hold(int frameBytes) {
        heldMessages++;
        heldBytes += frameBytes;
    }

    /// A message that was kept is not any more.
    public void release(int frameBytes) {
        heldMessages--;
        heldBytes -= frameBytes;
    }

    /// A message whose credit was given back, or is about to be, has gone back to the broker, which
    /// counts its credit once more.
    void onGivenBack(int frameBytes) {
        consumedMessages--;
        consumedBytes -= frameBytes;
        passedMessages = Math.max(0, passedMessages - 1);
    }

    /// All credit has gone back to the broker.
    void forgetConsumed() {
        consumedMessages = 0;
        consumedBytes = 0;
        passedMessages = 0;
    }

    /// All of the window is to be granted, but for what is in use.
    void reopen(int usedMessages, int usedBytes) {
        long nanos = pace == null ? 0 : pace.now();
        if (nanos > 0) {
            messages = wanted(nanos);
        }
        consumedMessages += messages - usedMessages;
        consumedBytes += bytes - usedBytes;
    }

    /// True if it is time to grant what was consumed. If nothing else is left of the window, that
    /// is at once.
    public boolean isGrantDue() {
        return (consumedMessages > 0 || consumedBytes > 0)
                && (consumedMessages >= Math.min(grantMessages(), messages - heldMessages)
                        || consumedBytes >= Math.min(grantBytes, bytes - heldBytes));
    }

    /// Messages to be granted.
    public int consumedMessages() {
        return Math.max(passedMessages, consumedMessages);
    }

    /// Bytes to be granted.
    public int consumedBytes() {
        return Math.max(0, consumedBytes);
    }

    /// Messages and bytes that were consumed have been granted.
    public void onGranted() {
        consumedMessages -= consumedMessages();
        passedMessages = 0;
        consumedBytes = Math.min(0, consumedBytes);
    }

    /// True if all of the window is kept, and was not when this was asked before.
    public boolean isHeldFirst() {
        boolean held = isHeld();
        boolean first = held && !told;
        told = held;
        return first;
    }

    /// True if all of the window is kept, so that no more messages come.
    public boolean isHeld() {
        return heldMessages >= messages || heldBytes >= bytes;
    }
}
