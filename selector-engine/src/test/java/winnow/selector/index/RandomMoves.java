package winnow.selector.index;

import java.util.Random;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Node;
import winnow.selector.index.term.AccessKeys;

/// Hangs selectors on keys that are not the best, but as good for the result.
public final class RandomMoves {

    private RandomMoves() {}

    public static <S> void move(SelectorIndex<S> index, SubscriberHandle<S> entry, Random random) {
        Node<S> node = Node.of(entry);
        if (!node.isExact()) {
            index.move(node, AccessKeys.of(node.formula(), _ -> random.nextDouble()));
        }
    }
}
