package winnow.selector.index;

import org.jspecify.annotations.Nullable;

/// The nodes of an index by formula: a hash table whose chains go through the nodes themselves.
/// That takes 8 to 12 bytes per node, where a HashMap takes 30 to 35 and one more cache miss.
/// Writer only.
final class Nodes<S> {

    private static final int MIN_BUCKETS = 16;

    /// A power of two of them.
    private @Nullable Node<S>[] buckets = newBuckets(MIN_BUCKETS);

    private int size;

    /// The bucket that has its turn to age.
    private int ageing;

    @SuppressWarnings("unchecked") // An array of a parameterized type cannot be made otherwise.
    private static <S> @Nullable Node<S>[] newBuckets(int count) {
        return (Node<S>[]) new Node<?>[count];
    }

    int size() {
        return size;
    }

    @Nullable Node<S> find(Formula formula) {
        int hash = formula.hashCode();
        Node<S> node = buckets[hash & buckets.length - 1];
        while (node != null && !(node.hash == hash && node.formula().equals(formula))) {
            node = node.next;
        }
        return node;
    }

    /// Adds a node whose formula no other has.
    void add(Node<S> node) {
        if (size == buckets.length) {
            resize(2 * size);
        }
        insert(node);
        size++;
    }

    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    void remove(Node<S> node) {
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
    void age(long version) {
        ageing = ageing + 1 & buckets.length - 1;
        for (Node<S> node = buckets[ageing]; node != null; node = node.next) {
            node.age(version);
        }
    }

    private void resize(int count) {
        @Nullable Node<S>[] old = buckets;
        buckets = newBuckets(Math.max(MIN_BUCKETS, count));
        for (Node<S> chain : old) {
            Node<S> node = chain;
            while (node != null) {
                Node<S> next = node.next;
                insert(node);
                node = next;
            }
        }
    }

    private void insert(Node<S> node) {
        int i = node.hash & buckets.length - 1;
        node.next = buckets[i];
        buckets[i] = node;
    }
}
