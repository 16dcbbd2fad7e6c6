package winnow.selector.index.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;

/// The nodes of a large cluster, in [Block]s. One writer, many readers.
public final class Blocks {
    /// If blocks have fewer in the mean, those that have few are merged.
    private static final int SPARSE_BLOCK = 256;

    /// A block that has lost nodes is filled up again once it has fewer.
    private static final int MOST_NODES = Block.MAX_ROWS * 3 / 4;

    private static final int NONE = -1;

    private final SharedTerm key;
    private volatile Block[] blocks;

    /// Places of all nodes. Null as long as there is one block: looking through 1,000 rows takes
    /// 110 ns in the mean, and spares 4 bytes per node. Writer only.
    private @Nullable Places places;

    /// The node that was placed or looked up last, and where it is: a node is looked up again soon
    /// after it was added, and before it is removed.
    private @Nullable Node<?> latest;

    private int latestPlace;
    private int size;

    /// The block that was looked at last in a sparse cluster. Writer only.
    private int swept;

    /// The block that takes the next node while it has room, or [#NONE]. Writer only.
    private int roomy;

    /// @param key that leads to the nodes
    /// @param members not more than a block takes
    Blocks(SharedTerm key, List<? extends Node<?>> members) {
        this.key = key;
        Block block = Block.of(key, members);
        blocks = new Block[] {block};
        size = members.size();
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

    /// @param formula of the node
    void add(Node<?> node, Formula formula) {
        Formula part = RowWriter.part(node, formula, key);
        int at = blockWithRoom();
        if (blocks[at].size() == blocks[at].rows()) {
            replace(at, blocks[at].resized());
        } else if (blocks[at].isStale()) {
            Block renewed = blocks[at].renewed();
            if (renewed != blocks[at]) {
                replace(at, renewed);
            }
        }
        int row = blocks[at].add(node, part);
        size++;
        latest = node;
        latestPlace = Places.place(at, row);
        if (places != null) {
            places.add(node, latestPlace, blocks);
        }
    }

    private int blockWithRoom() {
        if (roomy == NONE || blocks[roomy].size() == Block.MAX_ROWS) {
            roomy = 0;
            while (roomy < blocks.length && blocks[roomy].size() >= MOST_NODES) {
                roomy++;
            }
            if (roomy == blocks.length) {
                append();
            }
        }
        return roomy;
    }

    private void append() {
        int at = blocks.length;
        Block[] more = Arrays.copyOf(blocks, at + 1);
        more[at] = Block.empty(key, blocks[at - 1]);
        blocks = more;
        if (places == null) {
            places = new Places(key.probe.placesOfNodes(), more);
        }
    }

    private boolean isSparse() {
        return size < blocks.length * SPARSE_BLOCK;
    }

    /// Takes out a node that must be there.
    ///
    /// @param formula of the node
    void remove(Node<?> node, Formula formula) {
        int place = placeOf(node);
        int at = Places.block(place);
        if (places != null) {
            places.remove(node, place, blocks);
        }
        latest = null;
        Block block = blocks[at];
        block.remove(Places.row(place), formula);
        size--;
        if (block.size() < MOST_NODES) {
            roomy = at;
        }
        if (block.size() == 0 && blocks.length > 1) {
            drop(at);
        } else if (block.size() < block.rows() / 8) {
            thinOut(at);
        } else if (blocks.length > 1 && isSparse()) {
            // Blocks that lose no node would stay otherwise, however few they have.
            swept = (swept + 1) % blocks.length;
            if (blocks[swept].size() < Block.MAX_ROWS / 8) {
                mergeWithAny(swept);
            }
        }
    }

    /// A block has few nodes left: they go to another, or it becomes smaller. A new block has few,
    /// too, and stays unless most have.
    private void thinOut(int at) {
        Block block = blocks[at];
        if (block.rows() == Block.MIN_ROWS && !isSparse()) {
            return;
        }
        if (!mergeWithAny(at) && block.rows() > Block.MIN_ROWS) {
            replace(at, block.resized());
        }
    }

    /// @return false if all others have too many nodes
    private boolean mergeWithAny(int at) {
        for (int other = 0; other < blocks.length; other++) {
            if (other != at && mayMerge(blocks[at], blocks[other])) {
                merge(at, other);
                return true;
            }
        }
        return false;
    }

    private static boolean mayMerge(Block one, Block other) {
        return one.size() + other.size() <= Block.MAX_ROWS / 2;
    }

    private void merge(int one, int other) {
        int to = Math.min(one, other);
        int from = Math.max(one, other);
        Block first = blocks[to];
        Block second = blocks[from];
        forget(first, to);
        Block[] with = blocks.clone();
        with[to] = first.with(second);
        leaveOut(from, with);
        first.retire();
        second.retire();
        settle(to);
        roomy = to;
    }

    private void drop(int at) {
        leaveOut(at, blocks.clone());
    }

    /// Takes a block out, whose place the last one gets.
    ///
    /// @param with a copy of the blocks, in which others may have been replaced: all changes are
    ///   seen at once
    private void leaveOut(int at, Block[] with) {
        int last = blocks.length - 1;
        forget(blocks[at], at);
        if (at < last) {
            forget(blocks[last], last);
        }
        with[at] = with[last];
        blocks = Arrays.copyOf(with, last);
        roomy = NONE;
        if (last == 1) {
            retirePlaces();
        } else if (at < last) {
            settle(at);
        }
    }

    private void replace(int at, Block fresh) {
        Block former = blocks[at];
        forget(former, at);
        Block[] changed = blocks.clone();
        changed[at] = fresh;
        blocks = changed;
        former.retire();
        settle(at);
    }

    /// Forgets where the nodes of a block are, because they move.
    private void forget(Block block, int at) {
        latest = null;
        if (places != null) {
            for (int row = 0; row < block.rows(); row++) {
                if (block.isLive(row)) {
                    places.remove(block.node(row), Places.place(at, row), blocks);
                }
            }
        }
    }

    /// Notes where the nodes of a block are.
    private void settle(int at) {
        if (places != null) {
            places.add(at, blocks);
        }
    }

    /// The slots whose values tell for which messages a node is not looked at.
    public List<Integer> slotsThatNarrow(Node<?> node) {
        int place = placeOf(node);
        return blocks[Places.block(place)].slotsThatNarrow(Places.row(place));
    }

    private void retirePlaces() {
        if (places != null) {
            places.retire(blocks);
            places = null;
        }
    }

    /// Something else has taken the place of all blocks.
    void retire() {
        retirePlaces();
        for (Block block : blocks) {
            block.retire();
        }
    }

    void subscribersChanged(Node<?> node) {
        int place = placeOf(node);
        blocks[Places.block(place)].subscribersChanged(Places.row(place));
    }

    List<Node<?>> members() {
        List<Node<?>> members = new ArrayList<>(size);
        for (Block block : blocks) {
            members.addAll(block.members());
        }
        return members;
    }

    /// Place of a node, which must be known.
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    private int placeOf(Node<?> node) {
        if (node != latest) {
            latestPlace =
                    places == null
                            ? Places.place(0, blocks[0].find(node))
                            : places.find(node, blocks);
            latest = node;
        }
        return latestPlace;
    }
}
