package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;
import winnow.wire.frame.Delivery;

/// The messages that wait for one subscription, as runs: each is a position in the loop's
/// [WaitingMessages], and in the lowest 16 bits how many messages wait from there on that were kept
/// one behind the other. The first run is here, so that a subscription that waits with a few
/// messages allocates nothing; more take 8 bytes each. Owned by the subscription's event loop.
final class BacklogRuns implements DeliverySource {
    private static final int MAX_COUNT = 0xFFFF;
    private static final int FIRST_RUNS = 4;

    /// Longer rings are halved when they are used by a quarter.
    private static final int LONG_RING = 64;

    /// Bytes that the ring's array takes beside its elements.
    private static final int ARRAY_BYTES = 16;

    /// Messages that go in one step of [#clearSome], and a run: about 30 ns each.
    private static final int CLEARED_AT_ONCE = 16 * 1024;

    private static final long[] NONE = {};

    private final WaitingMessages store;
    private final int subscriptionId;

    /// 0 in the lowest 16 bits if nothing waits.
    private long firstRun;

    /// The runs behind the first, in a ring whose length is a power of 2.
    private long[] ring = NONE;

    private int head;
    private int size;

    /// Offset in its segment at which the message behind the last run begins.
    private int endOffset;

    private int messages;

    /// About right once messages were dropped without being read, until nothing waits.
    private long bytes;

    BacklogRuns(int subscriptionId, WaitingMessages store) {
        this.subscriptionId = subscriptionId;
        this.store = store;
    }

    @Override
    public boolean isEmpty() {
        return messages == 0;
    }

    @Override
    public int messages() {
        return messages;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /// Appends a message: the block from `start` to `end`.
    void add(long message, byte[] array, int start, int end, int maxNameId) {
        long position = store.keep(message, array, start, end, maxNameId);
        append(position);
        endOffset = WaitingMessages.offset(position) + Segment.HEADER_BYTES + end - start;
        messages++;
        bytes += Delivery.frameBytes(subscriptionId, end - start);
    }

    private void append(long position) {
        if (messages == 0) {
            firstRun = position + 1;
            return;
        }
        long last = size == 0 ? firstRun : ring[index(size - 1)];
        boolean continues =
                WaitingMessages.offset(position) == endOffset
                        && WaitingMessages.slot(position) == WaitingMessages.slot(last)
                        && count(last) < MAX_COUNT;
        if (!continues) {
            push(position + 1);
        } else if (size == 0) {
            firstRun++;
        } else {
            ring[index(size - 1)]++;
        }
    }

    private static int count(long run) {
        return (int) run & MAX_COUNT;
    }

    private static long position(long run) {
        return run & ~(long) MAX_COUNT;
    }

    private int index(int i) {
        return head + i & ring.length - 1;
    }

    private void push(long run) {
        if (size == ring.length) {
            resize(Math.max(FIRST_RUNS, 2 * size));
        }
        size++;
        ring[index(size - 1)] = run;
    }

    private long pop() {
        long run = ring[head];
        head = index(1);
        size--;
        if (size == 0) {
            resize(0);
        } else if (ring.length > LONG_RING && size < ring.length / 4) {
            resize(ring.length / 2);
        }
        return run;
    }

    private void resize(int length) {
        store.memory().take(arrayBytes(length));
        long[] old = ring;
        long[] resized = length == 0 ? NONE : new long[length];
        int untilEnd = Math.min(size, old.length - head);
        System.arraycopy(old, head, resized, 0, untilEnd);
        System.arraycopy(old, 0, resized, untilEnd, size - untilEnd);
        ring = resized;
        head = 0;
        store.memory().give(arrayBytes(old.length));
    }

    private static long arrayBytes(int length) {
        return length == 0 ? 0 : ARRAY_BYTES + 8L * length;
    }

    @Override
    public @Nullable WaitingMessage first() {
        assert messages > 0;
        return store.show(position(firstRun));
    }

    @Override
    public void fetchFirst(Subscription subscription) {
        store.fetch(position(firstRun), subscription);
        if (size > 0) {
            store.fetch(position(ring[head]), null);
        }
    }

    @Override
    public void removeFirst() {
        assert messages > 0;
        long run = firstRun;
        long position = position(run);
        int left = count(run) - 1;
        onRemoved(1, Delivery.frameBytes(subscriptionId, store.blockBytes(position)));
        if (left > 0) {
            firstRun = store.following(position) + left;
        } else {
            firstRun = size > 0 ? pop() : 0;
        }
        store.release(position);
    }

    /// Keeps at least the bytes of as many empty messages, also after [#dropRun].
    private void onRemoved(int count, long frameBytes) {
        messages -= count;
        long least = (long) messages * Delivery.frameBytes(subscriptionId, 0);
        bytes = messages == 0 ? 0 : Math.max(bytes - frameBytes, least);
    }

    @Override
    public void dropRun() {
        assert messages > 0;
        int count = count(firstRun);
        long position = position(firstRun);
        int blockBytes = store.blockBytes(position);
        onRemoved(count, (long) count * Delivery.frameBytes(subscriptionId, blockBytes));
        firstRun = size > 0 ? pop() : 0;
        store.release(position, count);
    }

    @Override
    public boolean clearSome() {
        int cleared = 0;
        while (messages > 0 && cleared < CLEARED_AT_ONCE) {
            int count = count(firstRun);
            store.release(position(firstRun), count);
            cleared += count;
            messages -= count;
            firstRun = size > 0 ? pop() : 0;
        }
        if (messages == 0) {
            bytes = 0;
        }
        return messages == 0;
    }
}
