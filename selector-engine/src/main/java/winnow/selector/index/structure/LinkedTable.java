package winnow.selector.index.structure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A hash table whose chains go through the elements themselves. While it grows, that takes 8 to 10
/// bytes per element, where a HashMap takes 30 to 35 and one more cache miss. When the table is
/// replaced, the chains of the former one are taken over a few at a time, so that no single change
/// takes long. Owned by one thread.
///
/// Most of what is asked for is not there. A byte per chain says so without a look at the chain,
/// which is two cache misses in a large table.
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
    private static final int MIX_FOR_MARKS = 0x85EB_CA6B;

    /// The first of each chain. A power of two of them.
    private @Nullable Linked<E>[] buckets = chains(MIN_BUCKETS);

    /// Of each chain the [#mark]s of all that have come since it was empty.
    private byte[] marks = new byte[MIN_BUCKETS];

    /// The table before, without the chains that were taken over; empty if there is none.
    private @Nullable Linked<E>[] former = chains(0);

    /// Where to go on in it.
    private int nextFormer;

    private int size;

    public int size() {
        return size;
    }

    /// The first of a chain that has all elements with this hash, and others; null if there are
    /// none.
    public @Nullable E chain(int hash) {
        takeOver(indexOf(hash, former));
        int i = indexOf(hash, buckets);
        return (marks[i] & mark(hash)) == 0 ? null : element(buckets[i]);
    }

    /// Calls the consumer with the elements of one chain, without those that are yet to be taken
    /// over.
    ///
    /// @param turn any number; whoever counts it up comes to all chains again and again
    public void forEachOfChain(int turn, Consumer<? super E> consumer) {
        for (E each = element(buckets[turn & buckets.length - 1]); each != null; ) {
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
        E each = element(buckets[i]);
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
        buckets = chains(Math.max(MIN_BUCKETS, count));
        marks = new byte[buckets.length];
    }

    private void takeSomeOver() {
        for (int i = 0; i < STEPS && former.length > 0; i++) {
            takeOver(nextFormer++);
            if (nextFormer == former.length) {
                former = chains(0);
            }
        }
    }

    /// Takes a chain of the former table, if there is one.
    private void takeOver(int i) {
        if (former.length == 0) {
            return;
        }
        E element = element(former[i]);
        former[i] = null;
        while (element != null) {
            E next = element.next();
            insert(element);
            element = next;
        }
    }

    private void insert(E element) {
        int i = indexOf(element.tableHash(), buckets);
        element.next(element(buckets[i]));
        buckets[i] = element;
        marks[i] |= mark(element.tableHash());
    }

    @SuppressWarnings("unchecked") // Linked is all that is known of the array's elements.
    private static <E extends Linked<E>> @Nullable Linked<E>[] chains(int count) {
        return (Linked<E>[]) new Linked<?>[count];
    }

    /// Costs nothing, where a cast from Object would look at the element.
    @SuppressWarnings("unchecked") // Nothing else is linked.
    private static <E extends Linked<E>> @Nullable E element(@Nullable Linked<E> linked) {
        return (E) linked;
    }

    /// One of eight bits, which depends on other bits of the hash than its index.
    private static byte mark(int hash) {
        return (byte) (1 << ((hash * MIX_FOR_MARKS) >>> (Integer.SIZE - 3)));
    }

    /// By the uppermost bits of the product, which depend on all bits of the hash; 0 if there are
    /// no chains.
    private static int indexOf(int hash, @Nullable Linked<?>[] chains) {
        return chains.length == 0
                ? 0
                : (hash * MIX) >>> Integer.numberOfLeadingZeros(chains.length - 1);
    }
}
