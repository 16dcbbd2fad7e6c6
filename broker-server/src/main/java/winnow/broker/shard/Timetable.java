package winnow.broker.shard;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// What is due when: messages by owner and sequence, for each tick a set of them, so that a million
/// messages with the same time take some kilobytes. Owned by its shard.
///
/// Ticks are 16 ms long, and longer where more is far away, so that an owner has some thousand at
/// most, however many times there are.
///
/// @param <K> whose messages they are
final class Timetable<K> {
    /// Nobody tells 16 ms apart over a network.
    private static final long TICK_MILLIS = 16;

    /// Ticks are that much longer from one level to the next: 16 ms, 1 s, 65 s, 70 min, 75 hours.
    private static final int LEVEL_BITS = 6;

    private static final int LEVELS = 5;

    /// A level is for what is so many of its ticks away at most.
    private static final long TICKS_OF_A_LEVEL = 1024;

    /// Owners whose entries are taken out together.
    private static final int FORGOTTEN_TOGETHER = 256;

    private final TreeMap<Long, Map<K, SequenceSet>> ticks = new TreeMap<>();
    private final Set<K> forgotten = new HashSet<>();
    private final int comfortable;
    private int sets;

    /// @param comfortable so many sets, of about 200 B each, may be there before the times of what
    ///   may be late become coarser
    Timetable(int comfortable) {
        this.comfortable = comfortable;
    }

    /// @param millis since 1970; it is due then or up to 16 ms later
    void add(long millis, K owner, long sequence) {
        addAt(ceil(millis, 0), owner, sequence);
    }

    /// @param millis since 1970; it is due then, or later by a tenth of the time until then
    void addLate(long millis, long nowMillis, K owner, long sequence) {
        int level = level(millis - nowMillis);
        for (long limit = comfortable; sets > limit && level < LEVELS - 1; limit *= 2) {
            level++;
        }
        addAt(ceil(millis, level), owner, sequence);
    }

    /// @param millis since 1970; it is due then or up to 16 ms later, or earlier where that is far
    ///   away: then it has to be added again
    void addEarly(long millis, long nowMillis, K owner, long sequence) {
        int level = level(millis - nowMillis);
        if (level == 0) {
            add(millis, owner, sequence);
        } else {
            addAt(Math.floorDiv(millis, tick(level)) * tick(level), owner, sequence);
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

    private void addAt(long dueMillis, K owner, long sequence) {
        Map<K, SequenceSet> owners = ticks.computeIfAbsent(dueMillis, key -> new HashMap<>(2));
        SequenceSet sequences = owners.get(owner);
        if (sequences == null) {
            sequences = new SequenceSet();
            owners.put(owner, sequences);
            sets++;
        }
        sequences.add(sequence);
    }

    /// Whether what must not be late should not be added any more.
    boolean isFull() {
        return sets > 2L * comfortable;
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
        Map<K, SequenceSet> owners = ticks.get(dueMillis);
        SequenceSet sequences = owners == null ? null : owners.get(owner);
        if (owners == null || sequences == null || !sequences.remove(sequence)) {
            return false;
        }
        if (sequences.isEmpty()) {
            owners.remove(owner);
            sets--;
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
            sets = 0;
            for (Map<K, SequenceSet> owners : ticks.values()) {
                owners.keySet().removeAll(forgotten);
                sets += owners.size();
            }
            ticks.values().removeIf(Map::isEmpty);
            forgotten.clear();
        }
    }

    /// Takes out what is due.
    ///
    /// @param visitor gets it, tick by tick
    void due(long nowMillis, BiConsumer<K, SequenceSet> visitor) {
        while (!ticks.isEmpty() && ticks.firstKey() <= nowMillis) {
            Map<K, SequenceSet> owners = ticks.pollFirstEntry().getValue();
            sets -= owners.size();
            owners.forEach((owner, sequences) -> {
                if (!forgotten.contains(owner)) {
                    visitor.accept(owner, sequences);
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
