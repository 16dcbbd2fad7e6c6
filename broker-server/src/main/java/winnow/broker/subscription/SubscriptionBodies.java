package winnow.broker.subscription;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The messages in parts of one subscription: the bodies of those that wait, in their order, while
/// what comes before the body waits in its [BacklogRuns]; and the one that is on its way. Owned by
/// the subscription's event loop.
final class SubscriptionBodies {
    /// An entry with its place, and a stream.
    private static final int ENTRY_BYTES = 64;

    private final Subscription subscription;
    private final BacklogMemory memory;
    private final BodyStreams streams;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private long waitingBytes;

    /// On its way, null if none is.
    private @Nullable LiveBody current;

    /// Bytes of the head that comes before it.
    private int currentHeadBytes;

    /// @param message its number ([Loop#numberMessages])
    private record Entry(long message, LiveBody body) {}

    SubscriptionBodies(Subscription subscription, BacklogMemory memory, BodyStreams streams) {
        this.subscription = subscription;
        this.memory = memory;
        this.streams = streams;
    }

    /// True if none waits.
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// Bytes of those that wait.
    long waitingBytes() {
        return waitingBytes;
    }

    /// The same without the first, which may be longer than all that may wait.
    long bytesBehindFirst() {
        Entry first = waiting.peek();
        return first == null ? 0 : waitingBytes - first.body.bytes();
    }

    /// One more waits.
    ///
    /// @param body with a reference
    void add(long message, LiveBody body) {
        memory.take(ENTRY_BYTES);
        waiting.add(new Entry(message, body));
        waitingBytes += body.bytes();
    }

    /// True if the message has the body that waits first.
    boolean isFirst(long message) {
        Entry first = waiting.peek();
        return first != null && first.message == message;
    }

    /// Takes the body of the message that waits first.
    ///
    /// @return with its reference; null if the message has no body in parts
    @Nullable LiveBody take(long message) {
        Entry first = waiting.peek();
        if (first == null || first.message != message) {
            return null;
        }
        waiting.remove();
        memory.give(ENTRY_BYTES);
        waitingBytes -= first.body.bytes();
        return first.body;
    }

    /// The message that waits first is dropped.
    void drop(long message) {
        LiveBody dropped = take(message);
        if (dropped != null) {
            dropped.release();
        }
    }

    /// Sends one message on its way.
    ///
    /// @param array holds what comes before the body, from `start` to `end`; borrowed
    /// @param body with a reference
    void begin(byte[] array, int start, int end, int maxNameId, LiveBody body) {
        current = body;
        currentHeadBytes = end - start;
        memory.take(ENTRY_BYTES + currentHeadBytes);
        streams.begin(subscription, Arrays.copyOfRange(array, start, end), maxNameId, body);
    }

    /// True if one is on its way.
    boolean isStreaming() {
        return current != null;
    }

    /// It is not on its way any more.
    ///
    /// @return the credit that it has cost
    long end() {
        LiveBody ended = current;
        if (ended == null) {
            return 0;
        }
        current = null;
        memory.give(ENTRY_BYTES + currentHeadBytes);
        long bytes = creditBytes(currentHeadBytes, ended);
        ended.release();
        return bytes;
    }

    /// Credit that a message costs.
    static long creditBytes(int headBytes, LiveBody body) {
        return (long) headBytes + body.bytes();
    }

    /// The subscription has ended.
    void close() {
        if (current != null || !waiting.isEmpty()) {
            streams.end(subscription);
            end();
        }
        while (!waiting.isEmpty()) {
            drop(waiting.element().message);
        }
    }
}
