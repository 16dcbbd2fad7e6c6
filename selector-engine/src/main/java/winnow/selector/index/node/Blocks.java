package winnow.selector.index.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;

/// The nodes of a large cluster, in [Block]s. One writer, many readers.
///
/// Once there are several blocks, nodes of a group ([Columns#placeOfGroup]) that come are put side
/// by side, such as those that ask for one value of another slot: a message with another value
/// passes their blocks by. With a million selectors of 6 equalities, a message takes 65 µs instead
/// of 117.
public final class Blocks {
    /// There is another group only if blocks have so many nodes in the mean, because small ones
    /// cost more per node.
    private static final int NODES_PER_BLOCK = 512;

    /// If blocks have fewer in the mean, a node whose groups have no room goes to any block.
    private static final int SPARSE_BLOCK = 256;

    /// Some nodes of so many blocks, or of up to twice as many, tell the common columns: at most
    /// 256 nodes, because what they ask is probably not in the cache.
    private static final int SAMPLED_BLOCKS = 8;

    /// The common columns are chosen again when so many nodes have come, and half as many as there
    /// are. Choosing takes 0.1 to 0.2 ms.
    private static final int MIN_ADDED = 4096;

    private final SharedTerm key;
    private volatile Block[] blocks;

    /// Where each node is. Null as long as there is one block: looking through 1,000 rows takes 110
    /// ns in the mean, and spares 4 bytes per node. Writer only.
    private @Nullable Places places;

    /// The node that was placed or looked up last, and where it is: a node is looked up again soon
    /// after it was added, and before it is removed.
    private @Nullable Node<?> latest;

    private int latestPlace;
    private int size;

    /// Tell the groups of nodes, and are the first columns of new blocks. Writer only.
    private @Nullable Columns common;

    /// Nodes that came since the common columns were chosen.
    private int added;

    /// The block that was looked at last in a sparse cluster. Writer only.
    private int swept;

    /// Null as long as there is one block. Writer only.
    private @Nullable RoomyBlocks roomy;

    /// @param key that leads to the nodes
    /// @param members not more than a block takes
    Blocks(SharedTerm key, List<? extends Node<?>> members) {
        this.key = key;
        Block block = Block.of(key, Columns.NO_GROUP, members);
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
        int at = blockFor(Block.asked(part));
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
        added++;
        latest = node;
        latestPlace = Places.place(at, row);
        if (places != null) {
            places.add(node, latestPlace, blocks);
        }
    }

    /// A block with room: of a group of a node, or else one that takes any.
    private int blockFor(Formula asked) {
        if (blocks.length == 1 && RoomyBlocks.hasRoom(blocks[0])) {
            return 0;
        }
        Columns columns = common();
        RoomyBlocks rooms = roomy;
        int at = rooms == null ? RoomyBlocks.NONE : rooms.find(asked, blocks);
        if (at != RoomyBlocks.NONE) {
            return at;
        }
        int place = columns.placeOfGroup(asked, null);
        if (place != Columns.NO_GROUP && size >= blocks.length * NODES_PER_BLOCK) {
            return append(columns.group(place));
        }
        if (rooms != null) {
            at = rooms.find(Columns.NO_GROUP, blocks);
        }
        if (at == RoomyBlocks.NONE && isSparse()) {
            at = anyWithRoom();
        }
        return at == RoomyBlocks.NONE ? append(Columns.NO_GROUP) : at;
    }

    private boolean isSparse() {
        return size < blocks.length * SPARSE_BLOCK;
    }

    private int anyWithRoom() {
        int at = 0;
        while (!RoomyBlocks.hasRoom(blocks[at])) {
            at++;
        }
        return at;
    }

    private int append(int group) {
        int at = blocks.length;
        Block[] more = Arrays.copyOf(blocks, at + 1);
        more[at] = Block.empty(key, group, common());
        blocks = more;
        if (places == null) {
            places = new Places(key.probe.placesOfNodes(), more);
            roomy = new RoomyBlocks(common(), more);
        }
        noteRoom(at);
        return at;
    }

    private void noteRoom(int at) {
        if (roomy != null) {
            roomy.note(at, blocks);
        }
    }

    /// Whether it was noted.
    private boolean forgetRoom(int at) {
        return roomy != null && roomy.forget(at, blocks);
    }

    /// Chosen by some nodes of some blocks, anew when many nodes have come.
    private Columns common() {
        Columns chosen = common;
        if (chosen == null || added >= Math.max(MIN_ADDED, size / 2)) {
            List<Formula> asked = new ArrayList<>();
            int step = 1 + blocks.length / SAMPLED_BLOCKS;
            for (int at = 0; at < blocks.length; at += step) {
                asked.addAll(blocks[at].someAsked(1));
            }
            chosen = new Columns(asked, Columns.NO_GROUP, 0);
            common = chosen;
            added = 0;
            roomy = roomy == null ? null : new RoomyBlocks(chosen, blocks);
        }
        return chosen;
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
        if (roomy != null) {
            roomy.noteIfRoomy(at, blocks);
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

    /// A block has few nodes left: they go to another, or it becomes smaller. A new block of a
    /// group has few, too, and stays unless most have.
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

    private boolean mayMerge(Block one, Block other) {
        boolean keepsGroups = one.group() == other.group() || other.group() == Columns.NO_GROUP;
        return one.size() + other.size() <= Block.MAX_ROWS / 2 && (keepsGroups || isSparse());
    }

    private void merge(int one, int other) {
        int to = Math.min(one, other);
        int from = Math.max(one, other);
        Block first = blocks[to];
        Block second = blocks[from];
        forget(first, to);
        forgetRoom(to);
        Block[] with = blocks.clone();
        with[to] = first.with(second);
        leaveOut(from, with);
        first.retire();
        second.retire();
        settle(to);
        noteRoom(to);
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
        forgetRoom(at);
        if (at < last) {
            forget(blocks[last], last);
        }
        boolean isNoted = forgetRoom(last);
        with[at] = with[last];
        blocks = Arrays.copyOf(with, last);
        if (last == 1) {
            retirePlaces();
            roomy = null;
        } else if (at < last) {
            settle(at);
            if (isNoted) {
                noteRoom(at);
            }
        }
    }

    private void replace(int at, Block fresh) {
        Block former = blocks[at];
        forget(former, at);
        boolean isNoted = forgetRoom(at);
        Block[] changed = blocks.clone();
        changed[at] = fresh;
        blocks = changed;
        former.retire();
        settle(at);
        if (isNoted) {
            noteRoom(at);
        }
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

    /// Where a node is, which must be known.
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
