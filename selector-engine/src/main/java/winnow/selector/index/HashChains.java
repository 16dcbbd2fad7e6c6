package winnow.selector.index;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Values by a 64-bit key, several per key. One writer, many readers without locks: chains are
/// immutable but for their replacement as a whole.
///
/// @param <V> compared by identity
final class HashChains<V> {

    private static final int MIN_BUCKETS = 8;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /// One value and those after it in the same bucket, which may have other keys.
    static final class Link<V> {

        final long key;
        final V value;
        final @Nullable Link<V> next;

        Link(long key, V value, @Nullable Link<V> next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    private volatile AtomicReferenceArray<@Nullable Link<V>> buckets =
            new AtomicReferenceArray<>(MIN_BUCKETS);
    private int size;

    /// The hash of some bytes and one more, for keys of strings.
    static long hash(long hashOfBytes, byte next) {
        return (hashOfBytes ^ next) * MIX;
    }

    /// The links of the key's bucket. Any thread.
    @Nullable Link<V> bucket(long key) {
        AtomicReferenceArray<@Nullable Link<V>> current = buckets;
        return current.getAcquire(indexOf(key, current.length()));
    }

    int size() {
        return size;
    }

    void add(long key, V value) {
        if (size >= buckets.length()) {
            resize(2 * buckets.length());
        }
        insert(buckets, key, value);
        size++;
    }

    /// Removes a value that is here under this key.
    void remove(long key, V value) {
        int i = indexOf(key, buckets.length());
        buckets.setRelease(i, without(buckets.getPlain(i), key, value));
        size--;
        if (size * 8 < buckets.length() && buckets.length() > MIN_BUCKETS) {
            resize(buckets.length() / 4);
        }
    }

    /// Removes the first of two links. Those before it are made again, in the opposite order.
    @SuppressWarnings("ReferenceEquality") // Identity is what a value is removed by.
    private @Nullable Link<V> without(@Nullable Link<V> chain, long key, V value) {
        Link<V> removed = chain;
        while (removed != null && !(removed.key == key && removed.value == value)) {
            removed = removed.next;
        }
        if (removed == null) {
            throw new IllegalStateException("no such key");
        }
        Link<V> rest = removed.next;
        for (Link<V> link = chain; link != null && link != removed; link = link.next) {
            rest = new Link<>(link.key, link.value, rest);
        }
        return rest;
    }

    private void resize(int count) {
        AtomicReferenceArray<@Nullable Link<V>> resized =
                new AtomicReferenceArray<>(Math.max(MIN_BUCKETS, count));
        for (int i = 0; i < buckets.length(); i++) {
            for (Link<V> link = buckets.getPlain(i); link != null; link = link.next) {
                insert(resized, link.key, link.value);
            }
        }
        buckets = resized;
    }

    private static <V> void insert(
            AtomicReferenceArray<@Nullable Link<V>> buckets, long key, V value) {
        int i = indexOf(key, buckets.length());
        buckets.setRelease(i, new Link<>(key, value, buckets.getPlain(i)));
    }

    /// The uppermost bits of the product: only these depend on all bits of the key. Of a small
    /// whole number as a double, the lower 40 are zero.
    ///
    /// @param count a power of two, 2 at least
    private static int indexOf(long key, int count) {
        return (int) ((key * MIX) >>> Long.numberOfLeadingZeros(count - 1));
    }
}
