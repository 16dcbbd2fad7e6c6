package winnow.broker.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// What is due when: messages by owner and sequence, for each tick of 16 ms a set of them, so that
/// a million messages with the same time take some kilobytes. Owned by its shard.
///
/// @param <K> whose messages they are
final class Timetable<K> {
    /// Nobody tells 16 ms apart over a network.
    private static final long TICK_MILLIS = 16;

    private final TreeMap<Long, Map<K, Roaring64Bitmap>> ticks = new TreeMap<>();

    /// @param millis since 1970; it is due then or up to a tick later
    void add(long millis, K owner, long sequence) {
        long tick = Math.ceilDiv(millis, TICK_MILLIS);
        ticks.computeIfAbsent(tick, key -> new LinkedHashMap<>())
                .computeIfAbsent(owner, key -> new Roaring64Bitmap())
                .addLong(sequence);
    }

    /// Takes out what is due.
    ///
    /// @param visitor gets it, tick by tick
    void due(long nowMillis, BiConsumer<K, Roaring64Bitmap> visitor) {
        long tick = Math.floorDiv(nowMillis, TICK_MILLIS);
        while (!ticks.isEmpty() && ticks.firstKey() <= tick) {
            ticks.pollFirstEntry().getValue().forEach(visitor);
        }
    }

    /// When something is due next, in ms since 1970; [Long#MAX_VALUE] if nothing is.
    long next() {
        return ticks.isEmpty() ? Long.MAX_VALUE : ticks.firstKey() * TICK_MILLIS;
    }
}
