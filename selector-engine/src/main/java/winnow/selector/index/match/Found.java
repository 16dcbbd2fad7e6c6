package winnow.selector.index.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.NodeEntry;

/// Nodes that match and whose subscribers are yet to get the message. Owned by one event loop.
final class Found {
    /// Nodes whose misses of the cache overlap; more gain little.
    private static final int MAX_NODES = 32;

    private final @Nullable Node<?>[] nodes = new Node<?>[MAX_NODES];
    private int count;

    boolean isFull() {
        return count == MAX_NODES;
    }

    void add(Node<?> node) {
        nodes[count++] = node;
    }

    /// Lets the match tell the nodes, after their subscribers were read ahead.
    void tell(Matching matching) {
        int read = 0;
        // To see what is there, a subscriber that is alone is read, too.
        for (int i = 0; i < count; i++) {
            read += subscribersOf(i) instanceof NodeEntry<?> entry ? entry.chunk() : 1;
        }
        matching.readAhead(read);
        for (int i = 0; i < count; i++) {
            Node<?> node = nodes[i];
            nodes[i] = null;
            if (node != null) {
                matching.tell(node);
            }
        }
        count = 0;
    }

    private @Nullable Object subscribersOf(int i) {
        Node<?> node = nodes[i];
        return node == null ? null : node.subscribers();
    }

    void clear() {
        Arrays.fill(nodes, 0, count, null);
        count = 0;
    }
}
