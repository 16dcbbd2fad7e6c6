package winnow.selector.index.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.SharedTerm;

/// The nodes of a large cluster, in [Block]s. One writer, many readers.
public final class Blocks {
    private static final int ROW_BITS = 10;
    private static final int MIN_PLACES = 256;

    private final SharedTerm key;
    private volatile Block[] blocks;

    /// Where each node is, by the hash of its number: block and row plus one, 0 for nothing. Writer
    /// only.
    private int[] places;

    /// The node that was placed or looked up last, and where in `places` it is: a node is looked up
    /// again soon after it was added, and before it is removed.
    private @Nullable Node<?> latest;

    private int latestIndex;
    private int size;

    /// No block before it has room. Writer only.
    private int firstWithRoom;

    /// @param key that leads to the nodes
    /// @param members not more than a block takes
    Blocks(SharedTerm key, List<? extends Node<?>> members) {
        this.key = key;
        Block block = new Block(key, members);
        blocks = new Block[] {block};
        size = members.size();
        places = new int[placesFor(size)];
        settle(0);
    }

    SharedTerm key() {
        return key;
    }

    int size() {
        return size;
    }

    /// The blocks of this moment; borrowed. A node that stays is in one of them. Any thread.
    public Block[] current() {
        return blocks;
    }

    void add(Node<?> node) {
        if (size + 1 > places.length * 3 / 4) {
            growPlaces();
        }
        int at = blocks.length - 1;
        Block last = blocks[at];
        if (last.isFull()) {
            if (last.rows() < Block.MAX_ROWS) {
                replace(at, new Block(key, last.members()));
            } else {
                at = freeBlock();
            }
        }
        if (blocks[at].isStale()) {
            replace(at, new Block(key, blocks[at].members()));
        }
        int row = blocks[at].add(node);
        size++;
        place(node, at << ROW_BITS | row);
    }

    /// A block with room: one that has lost nodes, or a new one.
    private int freeBlock() {
        while (firstWithRoom < blocks.length) {
            Block block = blocks[firstWithRoom];
            if (block.size() < block.rows() * 3 / 4) {
                return firstWithRoom;
            }
            firstWithRoom++;
        }
        Block[] more = Arrays.copyOf(blocks, blocks.length + 1);
        more[blocks.length] = new Block(key, List.of());
        blocks = more;
        return more.length - 1;
    }

    /// Takes out a node that must be there.
    void remove(Node<?> node) {
        int place = unplace(node);
        int at = place >> ROW_BITS;
        Block block = blocks[at];
        block.remove(place & Block.MAX_ROWS - 1);
        size--;
        firstWithRoom = Math.min(firstWithRoom, at);
        if (block.size() == 0 && blocks.length > 1) {
            drop(at);
        } else if (block.size() < block.rows() / 8) {
            thinOut(at);
        }
        if (places.length > MIN_PLACES && 16 * size < places.length) {
            settleAll();
        }
    }

    /// A block has few nodes left: they go to another, or it becomes smaller.
    private void thinOut(int at) {
        Block block = blocks[at];
        for (int i = 0; i < blocks.length; i++) {
            if (i != at && blocks[i].size() + block.size() <= Block.MAX_ROWS / 2) {
                List<Node<?>> both = blocks[i].members();
                both.addAll(block.members());
                Block other = blocks[i];
                Block[] fewer = Arrays.copyOf(blocks, blocks.length - 1);
                if (at < fewer.length) {
                    fewer[at] = blocks[fewer.length];
                }
                fewer[i < fewer.length ? i : at] = new Block(key, both);
                blocks = fewer;
                block.retire();
                other.retire();
                settleAll();
                return;
            }
        }
        if (block.rows() > Block.MIN_ROWS) {
            replace(at, new Block(key, block.members()));
        }
    }

    private void settleAll() {
        latest = null;
        places = new int[placesFor(size)];
        firstWithRoom = 0;
        for (int i = 0; i < blocks.length; i++) {
            settle(i);
        }
    }

    private void drop(int at) {
        int last = blocks.length - 1;
        Block[] fewer = Arrays.copyOf(blocks, last);
        if (at < last) {
            List<Node<?>> moving = blocks[last].members();
            moving.forEach(this::unplace);
            fewer[at] = blocks[last];
            blocks = fewer;
            settle(at);
            firstWithRoom = Math.min(firstWithRoom, at);
        } else {
            blocks = fewer;
        }
    }

    private void replace(int at, Block fresh) {
        for (Node<?> node : fresh.members()) {
            unplace(node);
        }
        Block former = blocks[at];
        Block[] changed = blocks.clone();
        changed[at] = fresh;
        blocks = changed;
        former.retire();
        settle(at);
    }

    /// The slots whose values tell for which messages a node is not looked at.
    public List<Integer> slotsThatNarrow(Node<?> node) {
        int place = places[indexOf(node)] - 1;
        return blocks[place >> ROW_BITS].slotsThatNarrow(place & Block.MAX_ROWS - 1);
    }

    /// Something else has taken the place of all blocks.
    void retire() {
        for (Block block : blocks) {
            block.retire();
        }
    }

    void subscribersChanged(Node<?> node) {
        int place = places[indexOf(node)] - 1;
        blocks[place >> ROW_BITS].subscribersChanged(place & Block.MAX_ROWS - 1);
    }

    List<Node<?>> members() {
        List<Node<?>> members = new ArrayList<>(size);
        for (Block block : blocks) {
            members.addAll(block.members());
        }
        return members;
    }

    /// Notes where the nodes of a block are.
    private void settle(int at) {
        Block block = blocks[at];
        for (int row = 0, left = block.size(); left > 0; row++) {
            if (block.isLive(row)) {
                place(block.node(row), at << ROW_BITS | row);
                left--;
            }
        }
    }

    private static int placesFor(int size) {
        return Math.max(MIN_PLACES, Integer.highestOneBit(Math.max(1, size * 4 / 3)) * 2);
    }

    private void growPlaces() {
        latest = null;
        int[] before = places;
        places = new int[2 * before.length];
        for (int place : before) {
            if (place != 0) {
                place(at(place - 1), place - 1);
            }
        }
    }

    private Node<?> at(int place) {
        return blocks[place >> ROW_BITS].node(place & Block.MAX_ROWS - 1);
    }

    private int hash(Node<?> node) {
        int hash = node.number() * 0x9E37_79B9;
        return (hash ^ hash >>> 15) & places.length - 1;
    }

    private void place(Node<?> node, int place) {
        int i = hash(node);
        while (places[i] != 0) {
            i = i + 1 & places.length - 1;
        }
        places[i] = place + 1;
        latest = node;
        latestIndex = i;
    }

    /// Where it is noted where a node is, which must be known.
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    private int indexOf(Node<?> node) {
        if (node == latest) {
            return latestIndex;
        }
        int i = hash(node);
        while (places[i] == 0 || at(places[i] - 1) != node) {
            if (places[i] == 0) {
                throw new IllegalStateException("not in the cluster");
            }
            i = i + 1 & places.length - 1;
        }
        latest = node;
        latestIndex = i;
        return i;
    }

    /// Forgets where a node is, which must be known.
    ///
    /// @return where that was
    private int unplace(Node<?> node) {
        int i = indexOf(node);
        int found = places[i] - 1;
        places[i] = 0;
        latest = null;
        // Those behind it move up, so that no search ends at the gap.
        for (int j = i + 1 & places.length - 1; places[j] != 0; j = j + 1 & places.length - 1) {
            int wanted = hash(at(places[j] - 1));
            if ((j - wanted & places.length - 1) >= (j - i & places.length - 1)) {
                places[i] = places[j];
                places[j] = 0;
                i = j;
            }
        }
        return found;
    }
}
