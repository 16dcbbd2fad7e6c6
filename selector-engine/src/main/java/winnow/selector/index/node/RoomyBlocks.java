package winnow.selector.index.node;

import java.util.Arrays;
import winnow.selector.index.term.Formula;

/// Where the nodes of a group find room: by group, one block that has lost nodes or is new. Writer
/// only.
///
/// Of several such blocks of a group the latest is noted; another is looked for when that is full.
final class RoomyBlocks {
    static final int NONE = -1;

    /// A block that has lost nodes is filled up again once it has fewer.
    private static final int MOST_NODES = Block.MAX_ROWS * 3 / 4;

    /// Of the groups.
    private final Columns columns;

    /// By [Columns#placeOf], one block, or [#NONE].
    private final int[] byGroup;

    /// One block of no group, or [#NONE].
    private int ofNoGroup = NONE;

    /// @param columns that tell the groups; blocks of other groups are not noted
    /// @param blocks all that there are
    RoomyBlocks(Columns columns, Block[] blocks) {
        this.columns = columns;
        byGroup = new int[columns.groups()];
        Arrays.fill(byGroup, NONE);
        for (int at = 0; at < blocks.length; at++) {
            noteIfRoomy(at, blocks);
        }
    }

    /// Whether a node more fits in, even if a larger block has to take its place.
    static boolean hasRoom(Block block) {
        return block.size() < Block.MAX_ROWS;
    }

    /// A block with room of a group that a formula belongs to, or [#NONE] if none is known.
    int find(Formula asked, Block[] blocks) {
        int at = NONE;
        int place = columns.placeOfGroup(asked, byGroup);
        while (place != Columns.NO_GROUP && at == NONE) {
            at = find(columns.group(place), blocks);
            // If that is none, it is not known any more.
            place = at == NONE ? columns.placeOfGroup(asked, byGroup) : place;
        }
        return at;
    }

    /// A block of a group with room, or [#NONE] if none is known.
    int find(int group, Block[] blocks) {
        int noted = noted(group);
        if (noted == NONE || hasRoom(blocks[noted])) {
            return noted;
        }
        set(group, NONE);
        for (int at = 0; at < blocks.length; at++) {
            if (blocks[at].group() == group && noteIfRoomy(at, blocks)) {
                return at;
            }
        }
        return NONE;
    }

    /// Whether the block has lost so many nodes, or is so new, that it is worth noting.
    boolean noteIfRoomy(int at, Block[] blocks) {
        boolean isRoomy = blocks[at].size() < MOST_NODES;
        if (isRoomy) {
            note(at, blocks);
        }
        return isRoomy;
    }

    void note(int at, Block[] blocks) {
        set(blocks[at].group(), at);
    }

    /// The block is about to go, or to move.
    ///
    /// @return whether it was noted
    boolean forget(int at, Block[] blocks) {
        int group = blocks[at].group();
        boolean isNoted = noted(group) == at;
        if (isNoted) {
            set(group, NONE);
        }
        return isNoted;
    }

    private int noted(int group) {
        if (group == Columns.NO_GROUP) {
            return ofNoGroup;
        }
        int place = columns.placeOf(group);
        return place == Columns.NO_GROUP ? NONE : byGroup[place];
    }

    private void set(int group, int at) {
        if (group == Columns.NO_GROUP) {
            ofNoGroup = at;
            return;
        }
        int place = columns.placeOf(group);
        if (place != Columns.NO_GROUP) {
            byGroup[place] = at;
        }
    }
}
