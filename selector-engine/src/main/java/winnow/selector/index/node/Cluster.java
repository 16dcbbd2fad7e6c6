package winnow.selector.index.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;

/// The nodes that hang on a term, which is their key. One thread changes them while any number of
/// threads read them. Most terms lead to few nodes, so the content has a few forms and no object
/// around it; the term keeps it where readers find it:
///
/// ```
/// nothing: null     one: the Node     up to 48: see Leaf     more: Blocks
/// ```
public final class Cluster {

    private Cluster() {}

    /// Lets a message for which a term is true find a node. Writer only.
    ///
    /// @param formula of the node, which would have to make it
    @SuppressWarnings("ReferenceEquality") // A content is itself only.
    public static void hang(Node<?> node, Formula formula, SharedTerm key) {
        Object before = key.cluster();
        Object after = with(before, node, formula, key);
        if (after != before) {
            key.cluster(after);
        }
        if (before == null) {
            key.link();
        }
    }

    /// Takes a node off a term that it hangs on. Writer only.
    ///
    /// @param formula of the node, null to have it made if it is needed
    @SuppressWarnings("ReferenceEquality") // A content is itself only.
    public static void unhang(Node<?> node, @Nullable Formula formula, SharedTerm key) {
        Object before = key.cluster();
        Object after = without(before, node, formula);
        if (after != before) {
            key.cluster(after);
        }
        if (before instanceof Blocks blocks && after != blocks) {
            blocks.retire();
        }
        if (after == null) {
            key.unlink();
        }
    }

    /// The subscribers of a node are others, or are found by other keys, too. Writer only.
    public static void subscribersChanged(Node<?> node, SharedTerm key) {
        if (key.cluster() instanceof Blocks blocks) {
            blocks.subscribersChanged(node);
        }
    }

    private static Object with(
            @Nullable Object content, Node<?> node, Formula formula, SharedTerm key) {
        return switch (content) {
            case null -> node;
            case Blocks blocks -> {
                blocks.add(node, formula);
                yield blocks;
            }
            case Object[] leaf when Leaf.isFull(leaf) -> {
                List<Node<?>> nodes = Leaf.members(leaf);
                nodes.add(node);
                yield new Blocks(key, nodes);
            }
            case Object[] leaf -> Leaf.with(leaf, node, formula, key);
            default -> Leaf.of(key, List.of((Node<?>) content, node));
        };
    }

    private static @Nullable Object without(
            @Nullable Object content, Node<?> node, @Nullable Formula formula) {
        // No switch over types, as in Subscribers.
        if (content == null) {
            throw new IllegalStateException("not in the cluster");
        }
        if (content instanceof Object[] leaf) {
            return Leaf.without(leaf, node);
        }
        if (content instanceof Blocks blocks) {
            blocks.remove(node, formula == null ? node.formula() : formula);
            return blocks.size() <= Leaf.MAX_ROWS / 2
                    ? Leaf.of(blocks.key(), blocks.members())
                    : blocks;
        }
        return null;
    }

    /// Number of nodes that hang on a term.
    public static int size(SharedTerm key) {
        return switch (key.cluster()) {
            case null -> 0;
            case Object[] leaf -> Leaf.size(leaf);
            case Blocks blocks -> blocks.size();
            default -> 1;
        };
    }
}
