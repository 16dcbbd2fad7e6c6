package winnow.broker.shard;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import winnow.broker.memory.HeapPart;

/// Messages that are due at each time, by owner and sequence: for each tick a set of them, so that
/// a million messages with the same time take some kilobytes. Owned by its shard.
///
/// Ticks are 16 ms long, and longer where more is far away, so that an owner has some thousand at
/// most, however many times there are. All sets have a limit of heap, of which an owner has a
/// share: one that comes near it has longer ticks for what may be late. So has a user whose
/// messages they are, because one may have many queues.
///
/// @param <K> where the messages wait
final class Timetable<K> {
    /// Nobody tells 16 ms apart over a network.
    private static final long TICK_MILLIS = 16;

    /// Ticks are that much longer from one level to the next: 16 ms, 1 s, 65 s, 70 min, 75 hours.
    private static final int LEVEL_BITS = 6;

    private static final int LEVELS = 5;

    /// A level is for what is so many of its ticks away at most.
    private static final long TICKS_OF_A_LEVEL = 1024;

    /// So many levels above the right one there is none.
    private static final int NEVER = 3;

    /// A set at most.
    private static final long SET_BYTES = (long) HeapCost.TIMER + HeapCost.BITMAP;

    /// Owners whose entries are taken out together.
    private static final int FORGOTTEN_TOGETHER = 256;

    private final TreeMap<Long, Map<K, Due>> ticks = new TreeMap<>();
    private final Set<K> forgotten = new HashSet<>();
    private final HeapShares<K> heap;
    private final HeapShares<String> heapOfUsers;

    /// Messages of an owner that are due at the same time, charged to the user of the first.
    private static final class Due {
        final SequenceSet sequences = new SequenceSet();
        final String user;
        private long chargedBytes;

        Due(String user) {
            this.user = user;
        }

        /// @return heap that it takes beyond what was charged for it; below 0 if it takes less
        long charge() {
            long bytes =
                    sequences.isEmpty()
                            ? 0
                            : HeapCost.TIMER + (sequences.hasBitmap() ? HeapCost.BITMAP : 0L);
            long more = bytes - chargedBytes;
            chargedBytes = bytes;
            return more;
        }

        /// @return heap that was charged for it, which is let go
        long release() {
            long bytes = chargedBytes;
            chargedBytes = 0;
            return bytes;
        }
    }

    /// @param heap that the sets may take
    Timetable(HeapPart heap) {
        this.heap = HeapShares.ofPlaces(heap);
        this.heapOfUsers = HeapShares.ofUsers(HeapPart.alone(heap.limitBytes()));
    }

    /// Heap that the sets take.
    long heapBytes() {
        return heap.bytes();
    }

    /// Says why they may take less than the limit, for people; empty if they may take all of it.
    String shortage() {
        return heap.shortage();
    }

    /// @param millis since 1970; it is due then or up to 16 ms later
    void add(long millis, K owner, long sequence) {
        addAt(ceil(millis, 0), owner, "", sequence);
    }

    /// @param millis since 1970; it is due then, or later by a tenth of the time until then; later
    ///   or never if its owner has too many times already, and if that is more than eight years
    ///   away
    void addLate(long millis, long nowMillis, K owner, long sequence) {
        int level = level(millis - nowMillis);
        long farthest = TICKS_OF_A_LEVEL * tick(LEVELS - 1);
        int coarser = coarser(owner);
        if (millis - nowMillis <= farthest && coarser < NEVER) {
            addAt(ceil(millis, Math.min(LEVELS - 1, level + coarser)), owner, "", sequence);
        }
    }

    /// Number of levels that an owner has to be above the right one.
    private int coarser(K owner) {
        long quarters = 4 * heap.bytes(owner) / Math.max(1, heap.wholeShare(owner));
        return Math.clamp(quarters - 1, 0, NEVER);
    }

    /// @param millis since 1970, not far away; it is due then or up to 16 ms later, and up to a
    ///   minute later if its owner has too many times already
    void addSoon(long millis, long nowMillis, K owner, long sequence) {
        int level = heap.hasRoom(owner, SET_BYTES) ? 0 : level(millis - nowMillis) + 1;
        addAt(ceil(millis, Math.min(LEVELS - 1, level)), owner, "", sequence);
    }

    /// @param millis since 1970; it is due then or up to 16 ms later, or earlier where that is far
    ///   away: then it has to be added again
    ///
    /// @param user whose message it is, empty if nobody knows
    void addEarly(long millis, long nowMillis, K owner, String user, long sequence) {
        int level = level(millis - nowMillis);
        if (level == 0) {
            addAt(ceil(millis, 0), owner, user, sequence);
        } else {
            long farthest = nowMillis + TICKS_OF_A_LEVEL * tick(LEVELS - 1);
            long due = Math.min(millis, farthest);
            addAt(Math.floorDiv(due, tick(level)) * tick(level), owner, user, sequence);
        }
    }

    private static int level(long distanceMillis) {
        int level = 0;
        while (level < LEVELS - 1 && distanceMillis > TICKS_OF_A_LEVEL * tick(level)) {
            level++;
        }
        return level;
    }

    /// The end of a tick; the last one, which is no whole one, never comes.
    private static long ceil(long millis, int level) {
        long ticks = Math.ceilDiv(millis, tick(level));
        return ticks > Long.MAX_VALUE / tick(level) ? Long.MAX_VALUE : ticks * tick(level);
    }

    private static long tick(int level) {
        return TICK_MILLIS << (LEVEL_BITS * level);
    }

    private void addAt(long dueMillis, K owner, String user, long sequence) {
        Map<K, Due> owners = ticks.computeIfAbsent(dueMillis, key -> new HashMap<>(2));
        Due due = owners.computeIfAbsent(owner, key -> new Due(user));
        due.sequences.add(sequence);
        charge(owner, due.user, due.charge());
    }

    private void charge(K owner, String user, long bytes) {
        if (bytes != 0) {
            heap.add(owner, bytes);
            heapOfUsers.add(user, bytes);
        }
    }

    /// True if what must not be late should not be added for an owner and a user any more.
    ///
    /// @param sets so many more
    boolean isFull(K owner, String user, int sets) {
        long more = sets * SET_BYTES;
        return !heap.hasRoom(owner, more) || !heapOfUsers.hasRoom(user, more);
    }

    /// A message needs it no more.
    ///
    /// @param millis as it was added
    void remove(long millis, K owner, long sequence) {
        for (int level = 0; level < LEVELS; level++) {
            if (removeAt(ceil(millis, level), owner, sequence)) {
                return;
            }
        }
    }

    private boolean removeAt(long dueMillis, K owner, long sequence) {
        Map<K, Due> owners = ticks.get(dueMillis);
        Due due = owners == null ? null : owners.get(owner);
        if (owners == null || due == null || !due.sequences.remove(sequence)) {
            return false;
        }
        // Taking one out may leave a gap.
        charge(owner, due.user, due.charge());
        if (due.sequences.isEmpty()) {
            owners.remove(owner);
        }
        if (owners.isEmpty()) {
            ticks.remove(dueMillis);
        }
        return true;
    }

    /// An owner is gone. Its entries leave now or together with those of others.
    void forget(K owner) {
        if (ticks.isEmpty()) {
            return;
        }
        forgotten.add(owner);
        if (forgotten.size() >= Math.max(FORGOTTEN_TOGETHER, ticks.size() / 16)) {
            ticks.values().forEach(this::removeForgotten);
            ticks.values().removeIf(Map::isEmpty);
            forgotten.clear();
        }
    }

    private void removeForgotten(Map<K, Due> owners) {
        owners.entrySet()
                .removeIf(one -> {
                    boolean gone = forgotten.contains(one.getKey());
                    if (gone) {
                        charge(one.getKey(), one.getValue().user, -one.getValue().release());
                    }
                    return gone;
                });
    }

    /// Takes out what is due.
    ///
    /// @param visitor gets it, tick by tick
    void due(long nowMillis, BiConsumer<K, SequenceSet> visitor) {
        while (!ticks.isEmpty() && ticks.firstKey() <= nowMillis) {
            Map<K, Due> owners = ticks.pollFirstEntry().getValue();
            owners.forEach((owner, due) -> {
                charge(owner, due.user, -due.release());
                if (!forgotten.contains(owner)) {
                    visitor.accept(owner, due.sequences);
                }
            });
        }
        if (ticks.isEmpty()) {
            forgotten.clear();
        }
    }

    /// When something is due next, in ms since 1970; [Long#MAX_VALUE] if nothing is.
    long next() {
        return ticks.isEmpty() ? Long.MAX_VALUE : ticks.firstKey();
    }
}
