package winnow.selector.index.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.node.Leaf;

/// Contents of the clusters of terms that are true for a message, yet to be looked at. Owned by one
/// event loop.
final class Hits {
    /// Terms whose misses of the cache overlap.
    private static final int MAX_TERMS = 64;

    private final @Nullable Object[] hanging = new Object[MAX_TERMS];

    private int count;

    boolean isFull() {
        return count == MAX_TERMS;
    }

    /// @param nodes content of [winnow.selector.index.node.Cluster]
    void add(Object nodes) {
        hanging[count++] = nodes;
    }

    /// Looks at the nodes, in steps, so that the cache misses of one term overlap with those of
    /// others.
    void visit(Matching matching) {
        if (count > 1) {
            readAhead(matching);
        }
        for (int i = 0; i < count; i++) {
            Object nodes = hanging[i];
            hanging[i] = null;
            if (nodes != null) {
                matching.cluster(nodes);
            }
        }
        count = 0;
    }

    private void readAhead(Matching matching) {
        int read = 0;
        for (int i = 0; i < count; i++) {
            read += Leaf.readAhead(hanging[i]);
        }
        matching.readAhead(read);
    }

    /// Also after a sink has failed.
    void clear() {
        Arrays.fill(hanging, 0, count, null);
        count = 0;
    }
}
