package winnow.selector.index.structure;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Values by a 64-bit key, several per key. One writer, many readers without locks: chains are
/// immutable but for their replacement as a whole.
///
/// A table that replaces another takes its links over a few at a time, so that no single change
/// takes long. Until then its buckets refer to the former one, which does not change any more.
///
/// @param <V> compared by identity
public final class HashChains<V> {

    private static final int MIN_BUCKETS = 8;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /// One value and those after it in the same bucket, which may have other keys.
    public static final class Link<V> {

        public final long key;
        public final V value;
        public final @Nullable Link<V> next;

        Link(long key, V value, @Nullable Link<V> next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    /// Buckets to fill per change: enough to be ready before the table is replaced again.
    private static final int STEPS = 4;

    /// In a bucket whose links are still in the former table.
    private static final Link<?> WAITING = new Link<>(0, new Object(), null);

    private volatile AtomicReferenceArray<@Nullable Link<V>> buckets =
            new AtomicReferenceArray<>(MIN_BUCKETS);

    /// Complete; null if nothing waits there.
    private volatile @Nullable AtomicReferenceArray<@Nullable Link<V>> former;

    /// Buckets below this do not wait.
    private int filled;

    private int size;

    /// The hash of some bytes and one more, for keys of strings.
    public static long hash(long hashOfBytes, byte next) {
        return (hashOfBytes ^ next) * MIX;
    }

    /// The links of the key's bucket. Any thread.
    @SuppressWarnings("ReferenceEquality") // There is one such link.
    public @Nullable Link<V> bucket(long key) {
        while (true) {
            AtomicReferenceArray<@Nullable Link<V>> current = buckets;
            int i = indexOf(key, current.length());
            Link<V> chain = current.getAcquire(i);
            if (chain != WAITING) {
                return chain;
            }
            AtomicReferenceArray<@Nullable Link<V>> before = former;
            if (before != null) {
                return before.getAcquire(indexOf(key, before.length()));
            }
            // All has been taken over meanwhile.
        }
    }

    /// Number of buckets that wait, about. Writer only.
    int waiting() {
        return former == null ? 0 : buckets.length() - filled;
    }

    int size() {
        return size;
    }

    public void add(long key, V value) {
        fillSome();
        if (size >= buckets.length()) {
            replace(2 * buckets.length());
        }
        AtomicReferenceArray<@Nullable Link<V>> current = buckets;
        int i = indexOf(key, current.length());
        fill(i);
        current.setRelease(i, new Link<>(key, value, current.getPlain(i)));
        size++;
    }

    /// Removes a value that is here under this key.
    public void remove(long key, V value) {
        fillSome();
        AtomicReferenceArray<@Nullable Link<V>> current = buckets;
        int i = indexOf(key, current.length());
        fill(i);
        current.setRelease(i, without(current.getPlain(i), key, value));
        size--;
        if (size * 8 < current.length() && current.length() > MIN_BUCKETS) {
            replace(Math.max(MIN_BUCKETS, current.length() / 4));
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

    @SuppressWarnings("unchecked") // Nobody looks at the value of this link.
    private void replace(int count) {
        while (former != null) {
            fillSome();
        }
        AtomicReferenceArray<@Nullable Link<V>> fresh = new AtomicReferenceArray<>(count);
        for (int i = 0; i < count; i++) {
            fresh.setPlain(i, (Link<V>) WAITING);
        }
        filled = 0;
        former = buckets;
        buckets = fresh;
    }

    private void fillSome() {
        int count = buckets.length();
        for (int i = 0; i < STEPS && former != null; i++) {
            fill(filled++);
            if (filled == count) {
                former = null;
            }
        }
    }

    /// Takes over what a bucket waits for.
    @SuppressWarnings("ReferenceEquality") // There is one such link.
    private void fill(int i) {
        AtomicReferenceArray<@Nullable Link<V>> from = former;
        AtomicReferenceArray<@Nullable Link<V>> to = buckets;
        if (from == null || to.getPlain(i) != WAITING) {
            return;
        }
        // Neighbours have the same uppermost bits.
        int first = (int) ((long) i * from.length() / to.length());
        int limit = (int) ((long) (i + 1) * from.length() / to.length());
        Link<V> chain = null;
        for (int j = first; j < Math.max(limit, first + 1); j++) {
            for (Link<V> link = from.getPlain(j); link != null; link = link.next) {
                if (indexOf(link.key, to.length()) == i) {
                    chain = new Link<>(link.key, link.value, chain);
                }
            }
        }
        to.setRelease(i, chain);
    }

    /// The uppermost bits of the product: only these depend on all bits of the key. Of a small
    /// whole number as a double, the lower 40 are zero.
    ///
    /// @param count a power of two, 2 at least
    private static int indexOf(long key, int count) {
        return (int) ((key * MIX) >>> Long.numberOfLeadingZeros(count - 1));
    }
}
