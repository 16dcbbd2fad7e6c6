package winnow.selector.index.structure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A hash table whose chains go through the elements themselves. While it grows, that takes 7 to 11
/// bytes per element, where a HashMap takes 30 to 35 and one more cache miss. When the table is
/// replaced, the chains of the former one are taken over a few at a time, so that no single change
/// takes long. Owned by one thread.
///
/// A byte per chain tells of most hashes that no element has them, without a look at the chain. In
/// a table of 500,000 elements that saves two cache misses.
public final class LinkedTable<E extends LinkedTable.Linked<E>> {

    /// An element of one table at a time, which keeps the next one of its chain.
    public interface Linked<E> {

        /// The same as long as it is in a table.
        int tableHash();

        @Nullable E next();

        void next(@Nullable E next);
    }

    private static final int MIN_BUCKETS = 16;

    /// Chains to take over per change: enough to be ready before the table is replaced again.
    private static final int STEPS = 16;

    private static final int MIX = 0x9E37_79B9;
    private static final int MIX_OF_MARKS = 0x85EB_CA6B;

    /// The first of each chain. A power of two of them.
    private @Nullable Object[] buckets = new Object[MIN_BUCKETS];

    /// Of each chain the [#mark]s of all elements that have come since it was empty.
    private byte[] marks = new byte[MIN_BUCKETS];

    /// The table before, without the chains that were taken over; empty if there is none.
    private @Nullable Object[] former = {};

    /// Index at which to go on in it.
    private int nextFormer;

    private int size;

    public int size() {
        return size;
    }

    /// The first of the chain of all that have this hash, and of others; the rest follows. May be
    /// null if no element has the hash.
    public @Nullable E chain(int hash) {
        takeOver(indexOf(hash, former));
        int i = indexOf(hash, buckets);
        return (marks[i] & mark(hash)) == 0 ? null : first(buckets, i);
    }

    /// Calls the consumer with the elements of one chain, without those that are yet to be taken
    /// over.
    ///
    /// @param turn any number; whoever counts it up comes to all chains again and again
    public void forEachOfChain(int turn, Consumer<? super E> consumer) {
        for (E each = first(buckets, turn & buckets.length - 1); each != null; ) {
            E next = each.next();
            consumer.accept(each);
            each = next;
        }
    }

    public void add(E element) {
        takeSomeOver();
        if (size >= buckets.length + buckets.length / 2) {
            resize(2 * buckets.length);
        }
        takeOver(indexOf(element.tableHash(), former));
        insert(element);
        size++;
    }

    /// Removes an element that is there.
    @SuppressWarnings("ReferenceEquality") // Identity is what an element is removed by.
    public void remove(E element) {
        takeSomeOver();
        int hash = element.tableHash();
        takeOver(indexOf(hash, former));
        int i = indexOf(hash, buckets);
        E before = null;
        E each = first(buckets, i);
        while (each != null && each != element) {
            before = each;
            each = each.next();
        }
        if (each == null) {
            throw new IllegalStateException("not in the table");
        }
        if (before == null) {
            buckets[i] = element.next();
            if (buckets[i] == null) {
                marks[i] = 0;
            }
        } else {
            before.next(element.next());
        }
        element.next(null);
        size--;
        if (size * 8 < buckets.length && buckets.length > MIN_BUCKETS) {
            resize(buckets.length / 4);
        }
    }

    private void resize(int count) {
        while (former.length > 0) {
            takeSomeOver();
        }
        former = buckets;
        nextFormer = 0;
        buckets = new Object[Math.max(MIN_BUCKETS, count)];
        marks = new byte[buckets.length];
    }

    private void takeSomeOver() {
        for (int i = 0; i < STEPS && former.length > 0; i++) {
            takeOver(nextFormer++);
            if (nextFormer == former.length) {
                former = new Object[0];
            }
        }
    }

    /// Takes a chain of the former table, if there is one.
    private void takeOver(int i) {
        if (former.length == 0) {
            return;
        }
        E element = first(former, i);
        former[i] = null;
        while (element != null) {
            E next = element.next();
            insert(element);
            element = next;
        }
    }

    private void insert(E element) {
        int i = indexOf(element.tableHash(), buckets);
        element.next(first(buckets, i));
        buckets[i] = element;
        marks[i] |= mark(element.tableHash());
    }

    /// One of eight bits, by another product of the hash than its index.
    private static byte mark(int hash) {
        return (byte) (1 << ((hash * MIX_OF_MARKS) >>> (Integer.SIZE - 3)));
    }

    @SuppressWarnings("unchecked") // Nothing else is in it.
    private @Nullable E first(@Nullable Object[] chains, int i) {
        return (E) chains[i];
    }

    /// By the uppermost bits of the product, which depend on all bits of the hash; 0 if there are
    /// no chains.
    private static int indexOf(int hash, @Nullable Object[] chains) {
        return chains.length == 0
                ? 0
                : (hash * MIX) >>> Integer.numberOfLeadingZeros(chains.length - 1);
    }
}
