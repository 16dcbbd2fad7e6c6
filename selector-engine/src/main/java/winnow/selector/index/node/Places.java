package winnow.selector.index.node;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.SparseInts;

/// Places of the nodes of several [Block]s. Writer only.
///
/// A place is a block and a row of it, as one number. Nodes of one key have it in a table of the
/// whole index by their numbers, of 4 bytes per number: looking there is one cache miss. With a
/// hash table for each cluster, changes of 6 equalities took 5 % longer. A node of several keys may
/// be in several clusters, so for these there is such a table here, of 2.7 to 5.3 bytes per node,
/// and twice that from 64 blocks on.
final class Places {
    private static final int ROW_BITS = 10;
    private static final int MIN_LENGTH = 16;

    /// By number of a node, its place plus one. Belongs to all clusters of the index.
    private final SparseInts ofOneKey;

    /// Of nodes of several keys, lower half of the place plus one, 0 for nothing.
    private char[] low = new char[MIN_LENGTH];

    /// Upper half, null as long as it is 0 for all.
    private char @Nullable [] high;

    private int size;

    /// @param ofOneKey see [winnow.selector.index.term.Probes#placesOfNodes]
    /// @param blocks whose nodes it shall know
    Places(SparseInts ofOneKey, Block[] blocks) {
        this.ofOneKey = ofOneKey;
        for (int i = 0; i < blocks.length; i++) {
            add(i, blocks);
        }
    }

    private static int lengthFor(int size) {
        return Math.max(MIN_LENGTH, Integer.highestOneBit(Math.max(1, size * 4 / 3)) * 2);
    }

    static int place(int block, int row) {
        return block << ROW_BITS | row;
    }

    static int block(int place) {
        return place >> ROW_BITS;
    }

    static int row(int place) {
        return place & Block.MAX_ROWS - 1;
    }

    /// Notes where the nodes of a block are.
    void add(int at, Block[] blocks) {
        Block block = blocks[at];
        for (int row = 0, left = block.size(); left > 0; row++) {
            if (block.isLive(row)) {
                add(block.node(row), place(at, row), blocks);
                left--;
            }
        }
    }

    /// @param blocks where all are that are noted
    void add(Node<?> node, int place, Block[] blocks) {
        if (node.hasOneKey()) {
            ofOneKey.set(node.number(), place + 1);
            return;
        }
        if (size + 1 > low.length * 3 / 4) {
            resize(2 * low.length, blocks);
        }
        put(node.number(), place);
        size++;
    }

    private void resize(int length, Block[] blocks) {
        char[] lowBefore = low;
        char[] highBefore = high;
        low = new char[length];
        high = null;
        for (int i = 0; i < lowBefore.length; i++) {
            int entry = entry(lowBefore, highBefore, i);
            if (entry != 0) {
                put(number(entry, blocks), entry - 1);
            }
        }
    }

    private void put(int number, int place) {
        int i = hash(number);
        while (entry(i) != 0) {
            i = after(i);
        }
        set(i, place + 1);
    }

    /// The place of a node that is known.
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    int find(Node<?> node, Block[] blocks) {
        if (node.hasOneKey()) {
            int entry = ofOneKey.get(node.number());
            if (entry == SparseInts.NONE || node(entry, blocks) != node) {
                throw new IllegalStateException("not in the cluster");
            }
            return entry - 1;
        }
        for (int i = hash(node.number()); ; i = after(i)) {
            int entry = entry(i);
            if (entry == 0) {
                throw new IllegalStateException("not in the cluster");
            }
            if (node(entry, blocks) == node) {
                return entry - 1;
            }
        }
    }

    /// Forgets a node.
    ///
    /// @param place where it is
    /// @param blocks where all are that are noted
    void remove(Node<?> node, int place, Block[] blocks) {
        if (node.hasOneKey()) {
            ofOneKey.remove(node.number());
            return;
        }
        int i = hash(node.number());
        while (entry(i) != place + 1) {
            i = after(i);
        }
        set(i, 0);
        size--;
        // Those behind it move up, so that no search ends at the gap.
        int mask = low.length - 1;
        for (int j = after(i); entry(j) != 0; j = after(j)) {
            int wanted = hash(number(entry(j), blocks));
            if ((j - wanted & mask) >= (j - i & mask)) {
                set(i, entry(j));
                set(j, 0);
                i = j;
            }
        }
        if (low.length > MIN_LENGTH && 16 * size < low.length) {
            resize(lengthFor(size), blocks);
        }
    }

    /// Forgets the nodes of blocks whose places need not be known any more. Some may be forgotten
    /// already.
    void retire(Block[] blocks) {
        for (Block block : blocks) {
            for (Node<?> node : block.members()) {
                if (node.hasOneKey()) {
                    ofOneKey.remove(node.number());
                }
            }
        }
    }

    private static Node<?> node(int entry, Block[] blocks) {
        return blocks[block(entry - 1)].node(row(entry - 1));
    }

    private static int number(int entry, Block[] blocks) {
        return blocks[block(entry - 1)].number(row(entry - 1));
    }

    private int hash(int number) {
        int hash = number * 0x9E37_79B9;
        return (hash ^ hash >>> 15) & low.length - 1;
    }

    private int after(int i) {
        return i + 1 & low.length - 1;
    }

    private int entry(int i) {
        return entry(low, high, i);
    }

    private static int entry(char[] low, char @Nullable [] high, int i) {
        return high == null ? low[i] : high[i] << Character.SIZE | low[i];
    }

    private void set(int i, int entry) {
        low[i] = (char) entry;
        if (high == null && entry > Character.MAX_VALUE) {
            high = new char[low.length];
        }
        if (high != null) {
            high[i] = (char) (entry >>> Character.SIZE);
        }
    }
}
