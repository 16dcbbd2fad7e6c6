package winnow.selector.index;

import org.jspecify.annotations.Nullable;

/// A node that got other access keys while messages were matched. Each knows the next, so a message
/// that remembers the last one that was complete when it began finds all that it may have missed:
/// the writer links a move before it begins and calls it complete when it ends.
final class Move {

    private final @Nullable Node<?> node;
    private volatile @Nullable Move next;

    /// @param node null for the beginning
    Move(@Nullable Node<?> node) {
        this.node = node;
    }

    @Nullable Node<?> node() {
        return node;
    }

    /// Any thread.
    @Nullable Move next() {
        return next;
    }

    /// Writer only.
    void next(Move move) {
        next = move;
    }
}
