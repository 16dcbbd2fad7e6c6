package winnow.broker.memory;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/// Divides the heap among the budgets of a broker, whose limits together are more than there is,
/// because few of them are ever used up at once. Each has a [HeapPart]: a little is its own, and
/// what it takes above that comes from what is left for all. Thread-safe.
public final class BrokerHeap {
    /// Part of the heap that is not divided: for what is about to be collected.
    private static final int GARBAGE_PART = 5;

    /// Heap of a broker that nobody uses, and the largest part of the heap that counts as that.
    private static final long BASE_BYTES = 12L << 20;

    private static final int BASE_PART = 4;

    /// Part of a limit that is its budget's own, and that of a budget without which nobody gets in.
    private static final int OWN_PART = 16;

    private static final int OWN_ESSENTIAL_PART = 4;

    /// Room for what others have beside one thing of a certain length.
    private static final long LEAST_MARGIN = 64 * 1024;

    private final long totalBytes;
    private final AtomicLong leftBytes;

    /// By their names. Guarded by this.
    private final Map<String, HeapPart> parts = new TreeMap<>();

    /// @param bytes that all parts may take together
    public BrokerHeap(long bytes) {
        this.totalBytes = bytes;
        this.leftBytes = new AtomicLong(bytes);
    }

    /// Divides what the virtual machine may use.
    public static BrokerHeap ofMachine() {
        long all = Runtime.getRuntime().maxMemory();
        return new BrokerHeap(all - all / GARBAGE_PART - Math.min(BASE_BYTES, all / BASE_PART));
    }

    /// Sets no limit besides those of the budgets.
    public static BrokerHeap unlimited() {
        return new BrokerHeap(Long.MAX_VALUE / 2);
    }

    /// The part of a budget, made at the first call.
    ///
    /// @param name for people
    /// @param limitBytes that the budget may take where enough is left
    public HeapPart part(String name, long limitBytes) {
        return part(name, limitBytes, 0);
    }

    /// The part of a budget without which no client gets in: more of it is its own.
    ///
    /// @see #part(String, long)
    public HeapPart essentialPart(String name, long limitBytes) {
        long own = own(limitBytes, OWN_ESSENTIAL_PART);
        return part(name, limitBytes, own, own);
    }

    /// The part of a budget that has to have room for one thing of a certain length at least.
    ///
    /// @param leastBytes that are its own
    /// @see #part(String, long)
    public HeapPart part(String name, long limitBytes, long leastBytes) {
        long newcomers = own(limitBytes, OWN_PART);
        // An owner leaves others an eighth, also where the thing is all that there is room for.
        long least = leastBytes == 0 ? 0 : leastBytes + leastBytes / 7 + LEAST_MARGIN;
        long own = Math.min(newcomers + least, Math.max(limitBytes, newcomers));
        return part(name, limitBytes, own, newcomers);
    }

    private synchronized HeapPart part(
            String name, long limitBytes, long ownBytes, long newcomerBytes) {
        HeapPart known = parts.get(name);
        if (known != null && known.limitBytes() == limitBytes) {
            return known;
        }
        HeapPart made = new HeapPart(this, name, limitBytes, ownBytes, newcomerBytes);
        parts.put(name, made);
        return made;
    }

    /// An operator's limit that is above the heap does not take more of it from others.
    private long own(long limitBytes, int part) {
        return Math.min(limitBytes, totalBytes) / part;
    }

    /// Takes what a budget may use without asking.
    ///
    /// @return its bytes
    public long reserve(long bytes) {
        take(bytes);
        return bytes;
    }

    /// The parts, by name.
    public synchronized List<HeapPart> parts() {
        return List.copyOf(parts.values());
    }

    void take(long bytes) {
        leftBytes.addAndGet(-bytes);
    }

    /// Bytes that all parts may take together.
    public long totalBytes() {
        return totalBytes;
    }

    /// Bytes that any budget may take: of no budget, and in nobody's own part. Below 0 if budgets
    /// had to take more.
    public long leftBytes() {
        return leftBytes.get();
    }
}
