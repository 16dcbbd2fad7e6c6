package winnow.client;

import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.WireException;

/// What the broker may send ahead to one consumer, so that it fits into its share of the heap, and
/// what has to be granted again. Not thread-safe: its consumer's acknowledgement mode guards it.
final class PrefetchWindow {
    /// What a message takes on the heap besides the bytes of its frame: the message, its array's
    /// header and its places in the queues of [Inbox]. Objects are larger on a heap of more than 32
    /// GiB.
    static final int MESSAGE_HEAP_BYTES = 224;

    /// Part of the heap that messages take, at most; the rest is for the bytes of their frames.
    private static final double MESSAGES_PART = 7.0 / 8;

    /// Part of the window after which consumed credit is given back: rarely enough to cost nothing,
    /// early enough that the broker never runs out of it.
    private static final int GRANT_PART = 4;

    private final int messages;
    private final int bytes;
    private final int grantMessages;
    private final int grantBytes;
    private int consumedMessages;
    private int consumedBytes;
    private int heldMessages;
    private long heldBytes;
    private boolean told;
    private volatile boolean opened;
    private volatile int mostUnsettled;
    private volatile long mostUnsettledBytes;

    /// @param maxMessages messages at most
    /// @param heapBytes what they may take on the heap
    PrefetchWindow(int maxMessages, int heapBytes) {
        int fitting = (int) (heapBytes * MESSAGES_PART / MESSAGE_HEAP_BYTES);
        messages = Math.max(1, Math.min(maxMessages, fitting));
        bytes = Math.max(1, heapBytes - messages * MESSAGE_HEAP_BYTES);
        grantMessages = Math.max(1, messages / GRANT_PART);
        grantBytes = Math.max(1, bytes / GRANT_PART);
    }

    /// The broker gets credit for the first time.
    void open() {
        opened = true;
    }

    /// So many messages of the broker's are with the application and have given their credit back:
    /// if they go back to the broker, it has that credit besides the window.
    void onUnsettled(int count, long countBytes) {
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
        long most = opened ? messages + (long) mostUnsettled + Protocol.PASSING_MESSAGES : 0;
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

    /// The first credit in messages.
    int messages() {
        return messages;
    }

    /// The first credit in bytes of delivery frames.
    int bytes() {
        return bytes;
    }

    /// A message is gone from here.
    void onConsumed(int frameBytes) {
        consumedMessages++;
        consumedBytes += frameBytes;
    }

    /// A message was delivered, and is kept until it is acknowledged.
    void hold(int frameBytes) {
        heldMessages++;
        heldBytes += frameBytes;
    }

    /// A message that was kept is not any more.
    void release(int frameBytes) {
        heldMessages--;
        heldBytes -= frameBytes;
    }

    /// A message whose credit was given back, or is about to be, has gone back to the broker, which
    /// counts its credit once more.
    void onGivenBack(int frameBytes) {
        consumedMessages--;
        consumedBytes -= frameBytes;
    }

    /// All credit has gone back to the broker.
    void forgetConsumed() {
        consumedMessages = 0;
        consumedBytes = 0;
    }

    /// All of the window is to be granted, but for what is in use.
    void reopen(int usedMessages, int usedBytes) {
        consumedMessages += messages - usedMessages;
        consumedBytes += bytes - usedBytes;
    }

    /// Whether it is time to grant what was consumed. If nothing else is left of the window, that
    /// is at once.
    boolean isGrantDue() {
        return (consumedMessages > 0 || consumedBytes > 0)
                && (consumedMessages >= Math.min(grantMessages, messages - heldMessages)
                        || consumedBytes >= Math.min(grantBytes, bytes - heldBytes));
    }

    /// What is to be granted.
    int consumedMessages() {
        return Math.max(0, consumedMessages);
    }

    /// What is to be granted.
    int consumedBytes() {
        return Math.max(0, consumedBytes);
    }

    /// What was consumed has been granted.
    void onGranted() {
        consumedMessages = Math.min(0, consumedMessages);
        consumedBytes = Math.min(0, consumedBytes);
    }

    /// True if all of the window is kept, and was not when this was asked before.
    boolean isHeldFirst() {
        boolean held = isHeld();
        boolean first = held && !told;
        told = held;
        return first;
    }

    /// True if all of the window is kept, so that no more messages come.
    boolean isHeld() {
        return heldMessages >= messages || heldBytes >= bytes;
    }
}
