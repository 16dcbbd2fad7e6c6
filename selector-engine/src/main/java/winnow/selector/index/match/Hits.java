package winnow.selector.index.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.node.Leaf;
import winnow.selector.index.term.Term;

/// Terms that are true for a message and whose nodes are yet to be looked at. Owned by one event
/// loop.
final class Hits {
    /// Terms whose misses of the cache overlap.
    private static final int MAX_TERMS = 64;

    private final @Nullable Term[] terms = new Term[MAX_TERMS];

    /// What hangs on the terms.
    private final @Nullable Object[] hanging = new Object[MAX_TERMS];

    private int count;

    /// Whether the nodes are being looked at, or a sink failed meanwhile.
    private boolean visiting;

    boolean isFull() {
        return count == MAX_TERMS;
    }

    void add(Term term) {
        terms[count++] = term;
    }

    /// Looks at the nodes that hang on the terms, in steps, so that the cache misses of one term
    /// overlap with those of others.
    void visit(Matching matching) {
        int visited = count;
        count = 0;
        visiting = true;
        for (int i = 0; i < visited; i++) {
            Term term = terms[i];
            terms[i] = null;
            hanging[i] = term == null ? null : term.cluster();
        }
        int read = 0;
        for (int i = 0; i < visited; i++) {
            read += Leaf.readAhead(hanging[i]);
        }
        matching.readAhead(read);
        for (int i = 0; i < visited; i++) {
            Object nodes = hanging[i];
            hanging[i] = null;
            if (nodes != null) {
                matching.cluster(nodes);
            }
        }
        visiting = false;
    }

    void clear() {
        Arrays.fill(terms, 0, count, null);
        count = 0;
        if (visiting) {
            Arrays.fill(hanging, null);
            visiting = false;
        }
    }
}
