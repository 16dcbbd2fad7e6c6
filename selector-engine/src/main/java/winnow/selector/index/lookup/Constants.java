package winnow.selector.index.lookup;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.ConstantTerm;

/// The terms that compare a slot with constants, and what hangs on them, by number of the constant.
/// A message needs only the latter, so a look at the term is spared. One writer, many readers.
final class Constants {

    private static final VarHandle CLUSTERS = MethodHandles.arrayElementVarHandle(Object[].class);

    private static final @Nullable Object[] NO_CLUSTERS = {};
    private static final @Nullable ConstantTerm[] NO_TERMS = {};

    /// Contents of [winnow.selector.index.node.Cluster].
    private volatile @Nullable Object[] clusters = NO_CLUSTERS;

    /// As long as the clusters. Writer only.
    private @Nullable ConstantTerm[] terms = NO_TERMS;

    private int count;

    /// What hangs on the term of a constant, if there is one. Any thread.
    ///
    /// @param constant may be negative, for none
    @Nullable Object cluster(int constant) {
        @Nullable Object[] current = clusters;
        return Integer.compareUnsigned(constant, current.length) < 0
                ? CLUSTERS.getAcquire(current, constant)
                : null;
    }

    /// Writer only, for a term that was added.
    void cluster(int constant, @Nullable Object content) {
        CLUSTERS.setRelease(clusters, constant, content);
    }

    @Nullable ConstantTerm term(int constant) {
        return constant < terms.length ? terms[constant] : null;
    }

    int count() {
        return count;
    }

    void add(ConstantTerm term) {
        int constant = term.constant();
        if (constant >= terms.length) {
            resize(Math.max(constant + 1, terms.length + terms.length / 4 + 1));
        }
        terms[constant] = term;
        count++;
    }

    /// Nothing hangs on the term any more.
    void remove(ConstantTerm term) {
        terms[term.constant()] = null;
        count--;
        if (count == 0) {
            terms = NO_TERMS;
            clusters = NO_CLUSTERS;
        } else if (8 * count < terms.length && Integer.bitCount(count) == 1) {
            shrink();
        }
    }

    /// Leaves out the numbers above all that are in use, if these are most.
    private void shrink() {
        int inUse = terms.length;
        while (terms[inUse - 1] == null) {
            inUse--;
        }
        if (2 * inUse <= terms.length) {
            resize(inUse);
        }
    }

    private void resize(int length) {
        terms = Arrays.copyOf(terms, length);
        clusters = Arrays.copyOf(clusters, length);
    }
}
