package winnow.client.message;

import java.io.ObjectInputFilter.FilterInfo;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;

/// Bounds the work of hash codes while a body is deserialised. A set hashes its elements, and
/// through them all that is in them: a few hundred bytes of sets that share sets would take hours.
/// Each element of a hash table is taken to be the largest value that was read so far, so that what
/// is counted is never less than what is done. Used for one body, by one thread.
final class HashWork {
    /// Some seconds of hashing. A map of 10,000 entries behind a list of 15,000 stays below.
    static final long MAX_STEPS = 500_000_000;

    private final IdentityHashMap<Object, Long> weights = new IdentityHashMap<>();

    /// Depths of the hash tables that are being read, the innermost first.
    private final Deque<Long> open = new ArrayDeque<>();

    private long largest = 1;
    private long steps;

    /// True if a collection of `List.of`, `Set.of` or `Map.of` was read. Where they begin cannot be
    /// told from other arrays.
    private boolean immutables;

    /// Takes notice of what is read next.
    ///
    /// @return false if it would be too much work
    boolean admits(FilterInfo next) {
        while (!open.isEmpty() && open.getFirst() >= next.depth()) {
            open.removeFirst();
        }
        if (!open.isEmpty() && open.getFirst() == next.depth() - 1) {
            steps = saturated(steps, largest);
        }
        Class<?> type = next.serialClass();
        if (type != null) {
            immutables |= type.getName().equals("java.util.CollSer");
            if (type == Map.Entry[].class || (type == Object[].class && immutables)) {
                open.addFirst(next.depth());
            }
        }
        return steps <= MAX_STEPS;
    }

    /// Takes notice of an object that has been read.
    void onRead(Object object) {
        long weight = weight(object);
        if (weight > 1) {
            weights.put(object, weight);
            largest = Math.max(largest, weight);
        }
    }

    private long weight(Object object) {
        if (!object.getClass().getPackageName().startsWith("java.")) {
            // An application's own class may do anything when it is iterated over.
            return 1;
        }
        if (object instanceof Collection<?> collection) {
            return sum(collection);
        }
        if (object instanceof Map<?, ?> map) {
            return saturated(sum(map.keySet()), sum(map.values()));
        }
        if (object instanceof BigInteger number) {
            return 1L + number.bitLength() / Integer.SIZE;
        }
        if (object instanceof BigDecimal number) {
            return 1L + number.unscaledValue().bitLength() / Integer.SIZE;
        }
        if (object instanceof BitSet bits) {
            return 1L + bits.length() / Long.SIZE;
        }
        return 1;
    }

    private long sum(Collection<?> elements) {
        long sum = 1;
        for (Object element : elements) {
            sum = saturated(sum, weights.getOrDefault(element, 1L));
        }
        return sum;
    }

    private static long saturated(long a, long b) {
        return Math.min(a, MAX_STEPS) + Math.min(b, MAX_STEPS + 1);
    }
}
