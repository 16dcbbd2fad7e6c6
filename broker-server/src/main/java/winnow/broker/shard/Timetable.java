package winnow.broker.shard;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// What is due when: messages by owner and sequence, for each tick of 16 ms a set of them, so that
/// a million messages with the same time take some kilobytes. Owned by its shard.
///
/// @param <K> whose messages they are
final class Timetable<K> {
    /// Nobody tells 16 ms apart over a network.
    private static final long TICK_MILLIS = 16;

    /// Owners whose entries are taken out together.
    private static final int FORGOTTEN_TOGETHER = 256;

    private final TreeMap<Long, Map<K, SequenceSet>> ticks = new TreeMap<>();
    private final Set<K> forgotten = new HashSet<>();

    /// @param millis since 1970; it is due then or up to a tick later
    void add(long millis, K owner, long sequence) {
        long tick = Math.ceilDiv(millis, TICK_MILLIS);
        ticks.computeIfAbsent(tick, key -> new LinkedHashMap<>())
                .computeIfAbsent(owner, key -> new SequenceSet())
                .add(sequence);
    }

    /// A message needs it no more.
    void remove(long millis, K owner, long sequence) {
        long tick = Math.ceilDiv(millis, TICK_MILLIS);
        Map<K, SequenceSet> owners = ticks.get(tick);
        SequenceSet sequences = owners == null ? null : owners.get(owner);
        if (owners == null || sequences == null) {
            return;
        }
        sequences.remove(sequence);
        if (sequences.isEmpty()) {
            owners.remove(owner);
        }
        if (owners.isEmpty()) {
            ticks.remove(tick);
        }
    }

    /// An owner is gone. Its entries leave now or together with those of others.
    void forget(K owner) {
        if (ticks.isEmpty()) {
            return;
        }
        forgotten.add(owner);
        if (forgotten.size() >= Math.max(FORGOTTEN_TOGETHER, ticks.size() / 16)) {
            ticks.values().forEach(owners -> owners.keySet().removeAll(forgotten));
            ticks.values().removeIf(Map::isEmpty);
            forgotten.clear();
        }
    }

    /// Takes out what is due.
    ///
    /// @param visitor gets it, tick by tick
    void due(long nowMillis, BiConsumer<K, SequenceSet> visitor) {
        long tick = Math.floorDiv(nowMillis, TICK_MILLIS);
        while (!ticks.isEmpty() && ticks.firstKey() <= tick) {
            ticks.pollFirstEntry()
                    .getValue()
                    .forEach((owner, sequences) -> {
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
        return ticks.isEmpty() ? Long.MAX_VALUE : ticks.firstKey() * TICK_MILLIS;
    }
}
