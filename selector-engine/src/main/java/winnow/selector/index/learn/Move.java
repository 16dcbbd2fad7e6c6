package winnow.selector.index.learn;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.node.Node;

/// A node that got other access keys while messages were matched. Each knows the next, so a message
/// that remembers the last one that was complete when it began finds all that it may have missed:
/// the writer links a move before it begins and calls it complete when it ends.
public final class Move {

    private final @Nullable Node<?> node;
    private volatile @Nullable Move next;

    /// @param node null for the beginning
    public Move(@Nullable Node<?> node) {
        this.node = node;
    }

    public @Nullable Node<?> node() {
        return node;
    }

    /// Any thread.
    public @Nullable Move next() {
        return next;
    }

    /// Writer only.
    public void next(Move move) {
        next = move;
    }
}
