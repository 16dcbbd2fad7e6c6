package winnow.broker.subscription;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;

/// Memory that what waits for consumers takes in all loops together, and its limit. It is charged
/// before it is allocated, in whole segments, so the counter is touched rarely. Arrays that the
/// pools keep for later count towards the limit, too. Thread-safe.
public final class BacklogMemory {
    /// Part of the limit that the pools of all loops may keep together.
    private static final int KEPT_PART = 8;

    /// Part of the limit that copies of segments in the file may take, beside one of each loop.
    private static final int COPIES_PART = 8;

    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong keptBytes = new AtomicLong();
    private final Set<WaitingForMemory> awaiting = ConcurrentHashMap.newKeySet();
    private final ProducerCredit credit;
    private final SubscriptionsBehind behind = new SubscriptionsBehind(this);
    private final HeapPart heap;

    /// Bytes of segments that are being written to the file, and of copies of those that were.
    private final AtomicLong leavingBytes = new AtomicLong();

    private final AtomicLong copyBytes = new AtomicLong();

    /// Bytes of bodies in parts that wait in the storage for live subscriptions.
    private final AtomicLong bodyBytes = new AtomicLong();

    private volatile @Nullable BacklogFile file;

    /// @param limitBytes above this every subscription with a backlog counts as over its budget
    public BacklogMemory(long limitBytes) {
        this(HeapPart.alone(limitBytes));
    }

    /// @param limitBytes of `subscription.total-buffer`
    public static BacklogMemory of(BrokerHeap heap, long limitBytes) {
        return new BacklogMemory(heap.part("subscription.total-buffer", limitBytes));
    }

    /// @param heap above this every subscription with a backlog counts as over its budget
    private BacklogMemory(HeapPart heap) {
        this.heap = heap;
        this.credit = new ProducerCredit(heap.limitBytes() / 2);
    }

    /// Sets where segments go when half of the limit is used; without it they stay. To be called
    /// before anything waits.
    public void spillTo(BacklogFile newFile) {
        file = newFile;
    }

    /// Place where segments go, null if they stay.
    @Nullable BacklogFile file() {
        return file;
    }

    /// The subscriptions that are behind.
    public SubscriptionsBehind behind() {
        return behind;
    }

    /// Credit of all producers: half of the limit.
    public ProducerCredit credit() {
        return credit;
    }

    /// Something is about to be allocated, or kept.
    public void take(long bytes) {
        heldBytes.addAndGet(bytes);
        heap.follow(heldBytes::get);
    }

    /// Something was let go.
    public void give(long bytes) {
        heldBytes.addAndGet(-bytes);
        heap.follow(heldBytes::get);
        wakeIfRoom();
    }

    /// Tells those who wait if there is room. To be called from time to time, too: others may have
    /// given back what they had of the broker's heap.
    public void wakeIfRoom() {
        if (!awaiting.isEmpty() && !exhausted()) {
            wake();
        }
    }

    /// Nothing waits in an array any more: may a pool keep it?
    ///
    /// @return true if it may, and is counted as kept then
    boolean keep(int bytes) {
        if (exhausted() || keptBytes.get() + bytes > available() / KEPT_PART) {
            return false;
        }
        keptBytes.addAndGet(bytes);
        return true;
    }

    /// A kept array is used again.
    void reuse(int bytes) {
        keptBytes.addAndGet(-bytes);
    }

    /// Tells the loop once when the limit is not reached, perhaps at once.
    void await(WaitingForMemory loop) {
        awaiting.add(loop);
        wakeIfRoom();
    }

    private void wake() {
        for (WaitingForMemory loop : List.copyOf(awaiting)) {
            if (awaiting.remove(loop)) {
                loop.onMemory();
            }
        }
    }

    /// True if segments should leave: more than half of the limit is used.
    boolean wantsSpilling() {
        return usedBytes() - leavingBytes.get() > available() / 2;
    }

    /// A segment is about to be written.
    void leave(int bytes) {
        leavingBytes.addAndGet(bytes);
    }

    /// It has been, or stays.
    void stay(int bytes) {
        leavingBytes.addAndGet(-bytes);
    }

    /// True if copies of segments that have left may take so much more.
    boolean takesCopy(int bytes) {
        return copyBytes.get() + bytes <= available() / COPIES_PART;
    }

    /// Copies take so much more, or less.
    void addCopy(int bytes) {
        copyBytes.addAndGet(bytes);
    }

    /// A body in parts comes, or is not needed any more.
    ///
    /// @param bytes below 0 if it is not needed
    public void addBody(long bytes) {
        bodyBytes.addAndGet(bytes);
    }

    /// Reason why a body in parts cannot be kept for live subscriptions, null if it can. The only
    /// one always can.
    ///
    /// @param bytes of it, not counted yet
    public @Nullable String bodyRefusal(long bytes) {
        long all = bodyBytes.get();
        return all == 0 || all + bytes <= bodyLimitBytes()
                ? null
                : "messages in parts that wait for live subscriptions take "
                        + all
                        + " bytes, and this one brings "
                        + bytes
                        + bodyLimit();
    }

    private String bodyLimit() {
        return file == null
                ? "; the limit is "
                        + bodyLimitBytes()
                        + " (half of subscription.total-buffer), and with --data it is"
                        + " subscription.total-spill-buffer"
                : "; subscription.total-spill-buffer is " + bodyLimitBytes();
    }

    /// As much of the disk as segments may take, or half of the memory.
    private long bodyLimitBytes() {
        BacklogFile known = file;
        return known == null ? heap.limitBytes() / 2 : known.limitBytes();
    }

    private boolean bodiesHigh() {
        long limit = bodyLimitBytes();
        return bodyBytes.get() > limit - limit / 4;
    }

    /// True if so much is used that one of those who are behind has to go, unless the file takes
    /// what waits.
    boolean high() {
        return bodiesHigh() || usedBytes() > available() - available() / 4;
    }

    /// Bytes that all hold and their limit, for people.
    String describe() {
        return "all together hold "
                + usedBytes()
                + " bytes in memory (subscription.total-buffer is "
                + heap.limitBytes()
                + heap.shortage()
                + ")";
    }

    /// Limit for which somebody has to go, and setting that gives more room, for people.
    String whyHigh() {
        if (bodiesHigh()) {
            return "messages in parts of all together take " + bodyBytes + " bytes" + bodyLimit();
        }
        BacklogFile known = file;
        String all = describe();
        if (known == null) {
            return all + ", and without --data nothing goes to the disk";
        }
        String problem = known.problem();
        return problem.isEmpty()
                ? all
                        + " and "
                        + known.usedBytes()
                        + " on the disk (subscription.total-spill-buffer is "
                        + known.limitBytes()
                        + ")"
                : all + ", and the disk takes nothing: " + problem;
    }

    private long available() {
        return heap.availableBytes();
    }

    /// True if the limit is reached.
    public boolean exhausted() {
        return heldBytes.get() > available();
    }

    /// True if half of the limit more than allowed is held, as much as the credit of all producers
    /// may stand for.
    public boolean overrun() {
        return heldBytes.get() > available() + heap.limitBytes() / 2;
    }

    /// Bytes taken by what waits.
    public long usedBytes() {
        return Math.max(0, heldBytes.get() - keptBytes.get());
    }

    /// Segments that the file has taken since the start.
    long writtenSegments() {
        BacklogFile known = file;
        return known == null ? 0 : known.written();
    }

    /// Bytes of the file that are used.
    public long spilledBytes() {
        BacklogFile known = file;
        return known == null ? 0 : known.usedBytes();
    }

    /// Bytes of the file that may be used, 0 if there is none.
    public long spilledLimitBytes() {
        BacklogFile known = file;
        return known == null ? 0 : known.limitBytes();
    }

    /// Bytes of arrays that are kept for later.
    public long keptBytes() {
        return keptBytes.get();
    }

    /// Bytes that may be taken where the broker's heap has enough.
    public long limitBytes() {
        return heap.limitBytes();
    }
}
