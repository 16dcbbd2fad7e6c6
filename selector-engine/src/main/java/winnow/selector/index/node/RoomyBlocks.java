package winnow.selector.index.node;

import java.util.HashMap;
import java.util.Map;

/// Where the nodes of a group find room: by group, one block that has lost nodes or is new. Writer
/// only.
///
/// Of several such blocks of a group the latest is noted; another is looked for when that is full.
final class RoomyBlocks {
    static final int NONE = -1;

    /// A block that has lost nodes is filled up again once it has fewer.
    private static final int MOST_NODES = Block.MAX_ROWS * 3 / 4;

    private final Map<Integer, Integer> byGroup = new HashMap<>();

    /// @param blocks all that there are
    RoomyBlocks(Block[] blocks) {
        for (int at = 0; at < blocks.length; at++) {
            noteIfRoomy(at, blocks);
        }
    }

    /// Whether a node more fits in, even if a larger block has to take its place.
    static boolean hasRoom(Block block) {
        return block.size() < Block.MAX_ROWS;
    }

    /// A block of a group with room, or [#NONE] if none is known.
    int find(int group, Block[] blocks) {
        Integer noted = byGroup.get(group);
        if (noted == null || hasRoom(blocks[noted])) {
            return noted == null ? NONE : noted;
        }
        byGroup.remove(group);
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
        byGroup.put(blocks[at].group(), at);
    }

    /// The block is about to go, or to move.
    ///
    /// @return whether it was noted
    boolean forget(int at, Block[] blocks) {
        return byGroup.remove(blocks[at].group(), at);
    }
}
