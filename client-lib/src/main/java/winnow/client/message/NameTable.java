package winnow.client.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// Numbers that the broker of one connection gave to property names (docs/PROTOCOL.md, "Property
/// names"). Thread-safe: the event loop adds, all threads read.
public final class NameTable {
    /// Names for which a number is asked at most; a name beyond that stays inline.
    static final int MAX_REQUESTS = 10_000;

    /// Heap of a name besides its characters: strings, entries and the number.
    private static final int NAME_HEAP_BYTES = 128;

    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private final Set<String> requested = ConcurrentHashMap.newKeySet();
    private final List<String> unsent = new ArrayList<>();
    private volatile boolean hasUnsent;
    private volatile String[] names = new String[0];
    private final NameMemory memory;

    /// Of the names that were told. Guarded by this, as `closed` is.
    private long heapBytes;

    private boolean closed;

    public NameTable() {
        this(NameMemory.OF_PROCESS);
    }

    /// @param memory of this and other tables
    NameTable(NameMemory memory) {
        this.memory = memory;
    }

    /// The connection has gone: others may have the memory of its names.
    public synchronized void close() {
        if (!closed) {
            closed = true;
            memory.giveBack(heapBytes);
        }
    }

    private synchronized void charge(long bytes) {
        if (!closed) {
            memory.take(bytes);
            heapBytes += bytes;
        }
    }

    /// The number of a name, 0 if the broker has not told one. The first question about a name puts
    /// it among those that [#takeRequests] returns.
    int number(String name) {
        Integer number = numbers.get(name);
        if (number != null) {
            return number;
        }
        if (requested.size() < MAX_REQUESTS && requested.add(name)) {
            synchronized (unsent) {
                unsent.add(name);
                hasUnsent = true;
            }
        }
        return 0;
    }

    /// The name with that number, null if the broker has not told one.
    @Nullable String name(int number) {
        String[] current = names;
        return number >= 1 && number <= current.length ? current[number - 1] : null;
    }

    /// Grows whenever numbers arrive: what was encoded with inline names may now be shorter.
    int version() {
        return names.length;
    }

    /// True if [#takeRequests] would return names.
    public boolean hasRequests() {
        return hasUnsent;
    }

    /// The names that the broker has to be asked about; each is returned once.
    public List<String> takeRequests() {
        synchronized (unsent) {
            List<String> taken = List.copyOf(unsent);
            unsent.clear();
            hasUnsent = false;
            return taken;
        }
    }

    /// Takes the numbers `firstNumber`, `firstNumber + 1`, … for `added`. Called by the event loop.
    ///
    /// @throws WireException if a number before `firstNumber` was never told, or the names do not
    ///   fit into the heap
    public void add(int firstNumber, List<String> added) {
        String[] current = names;
        if (firstNumber < 1 || firstNumber > current.length + 1) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "Names: expected a first number of 1 to %d, found %d"
                            .formatted(current.length + 1, firstNumber));
        }
        long bytes = 0;
        for (int i = Math.min(added.size(), current.length - firstNumber + 1);
                i < added.size();
                i++) {
            bytes += NAME_HEAP_BYTES + 2L * added.get(i).length();
        }
        charge(bytes);
        int size = Math.max(current.length, firstNumber - 1 + added.size());
        String[] next = Arrays.copyOf(current, size);
        for (int i = 0; i < added.size(); i++) {
            next[firstNumber - 1 + i] = added.get(i);
        }
        names = next;
        for (int i = 0; i < added.size(); i++) {
            numbers.put(added.get(i), firstNumber + i);
        }
    }
}
