package winnow.selector.index.node;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;

/// The nodes of an index by formula: a hash table whose chains go through the nodes themselves.
/// That takes 8 to 12 bytes per node, where a HashMap takes 30 to 35 and one more cache miss. When
/// the table is replaced, the chains of the former one are taken over a few at a time, so that no
/// single change takes long. Writer only.
public final class Nodes<S> {

    private static final int MIN_BUCKETS = 16;

    /// Chains to take over per change: enough to be ready before the table is replaced again.
    private static final int STEPS = 16;

    /// A power of two of them.
    private @Nullable Node<S>[] buckets = newBuckets(MIN_BUCKETS);

    /// The table before, without the chains that were taken over; empty if there is none.
    private @Nullable Node<S>[] former = newBuckets(0);

    /// Where to go on in it.
    private int nextFormer;

    private int size;

    /// The bucket that has its turn to age.
    private int ageing;

    @SuppressWarnings("unchecked") // An array of a parameterized type cannot be made otherwise.
    private static <S> @Nullable Node<S>[] newBuckets(int count) {
        return (Node<S>[]) new Node<?>[count];
    }

    public int size() {
        return size;
    }

    public @Nullable Node<S> find(Formula formula) {
        int hash = formula.hashCode();
        takeOver(hash);
        Node<S> node = buckets[hash & buckets.length - 1];
        while (node != null && !(node.hash == hash && node.formula().equals(formula))) {
            node = node.next;
        }
        return node;
    }

    /// Adds a node whose formula no other has.
    public void add(Node<S> node) {
        takeSomeOver();
        if (size == buckets.length) {
            resize(2 * size);
        }
        takeOver(node.hash);
        insert(node);
        size++;
    }

    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    public void remove(Node<S> node) {
        takeSomeOver();
        takeOver(node.hash);
        int i = node.hash & buckets.length - 1;
        Node<S> before = null;
        Node<S> each = buckets[i];
        while (each != null && each != node) {
            before = each;
            each = each.next;
        }
        if (before == null) {
            buckets[i] = node.next;
        } else {
            before.next = node.next;
        }
        node.next = null;
        size--;
        if (size * 8 < buckets.length && buckets.length > MIN_BUCKETS) {
            resize(buckets.length / 4);
        }
    }

    /// Lets the nodes of one bucket after the other know how new the slots are: see [Node#age].
    public void age(long version) {
        ageing = ageing + 1 & buckets.length - 1;
        for (Node<S> node = buckets[ageing]; node != null; node = node.next) {
            node.age(version);
        }
    }

    private void resize(int count) {
        while (former.length > 0) {
            takeSomeOver();
        }
        former = buckets;
        nextFormer = 0;
        buckets = newBuckets(Math.max(MIN_BUCKETS, count));
    }

    private void takeSomeOver() {
        for (int i = 0; i < STEPS && former.length > 0; i++) {
            takeOver(nextFormer++);
            if (nextFormer == former.length) {
                former = newBuckets(0);
            }
        }
    }

    /// Takes the chain of the former table that has the nodes of a hash.
    private void takeOver(int hash) {
        if (former.length == 0) {
            return;
        }
        int i = hash & former.length - 1;
        Node<S> node = former[i];
        former[i] = null;
        while (node != null) {
            Node<S> next = node.next;
            insert(node);
            node = next;
        }
    }

    private void insert(Node<S> node) {
        int i = node.hash & buckets.length - 1;
        node.next = buckets[i];
        buckets[i] = node;
    }
}
