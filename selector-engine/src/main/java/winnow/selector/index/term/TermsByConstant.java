package winnow.selector.index.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The terms that compare a slot with constants, and what hangs on them, by number of the constant.
/// A message needs only the latter, so a look at the term is spared. One writer, many readers.
public final class TermsByConstant {

    private static final VarHandle CLUSTERS = MethodHandles.arrayElementVarHandle(Object[].class);

    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private static final @Nullable Object[][] NO_CLUSTERS = {};
    private static final @Nullable ConstantTerm[][] NO_TERMS = {};

    /// Contents of [winnow.selector.index.node.Cluster], in chunks, so that growing copies little.
    private volatile @Nullable Object[][] clusters = NO_CLUSTERS;

    /// As long as the clusters. Writer only.
    private @Nullable ConstantTerm[][] terms = NO_TERMS;

    /// Number of terms that are in each chunk.
    private int[] sizes = {};

    /// Room for constants below this number. As long as it is less than a chunk, so is the chunk.
    private int capacity;

    private int count;

    /// Cluster of the term of a constant, if there is one. Any thread.
    ///
    /// @param constant may be negative, for none
    @Nullable Object cluster(int constant) {
        @Nullable Object[][] current = clusters;
        int chunk = constant >>> CHUNK_BITS;
        if (chunk >= current.length) {
            return null;
        }
        @Nullable Object[] ofChunk = current[chunk];
        int at = constant & CHUNK - 1;
        return at < ofChunk.length ? CLUSTERS.getAcquire(ofChunk, at) : null;
    }

    /// Writer only, for a term that was added.
    void cluster(int constant, @Nullable Object content) {
        CLUSTERS.setRelease(clusters[constant >>> CHUNK_BITS], constant & CHUNK - 1, content);
    }

    @Nullable ConstantTerm term(int constant) {
        return constant < capacity ? terms[constant >>> CHUNK_BITS][constant & CHUNK - 1] : null;
    }

    int count() {
        return count;
    }

    void add(ConstantTerm term) {
        int constant = term.constant();
        if (constant >= capacity) {
            resize(Math.max(constant + 1, capacity < CHUNK ? capacity + capacity / 4 : 0));
        }
        terms[constant >>> CHUNK_BITS][constant & CHUNK - 1] = term;
        sizes[constant >>> CHUNK_BITS]++;
        count++;
    }

    /// Nothing hangs on the term any more.
    void remove(ConstantTerm term) {
        int chunk = term.constant() >>> CHUNK_BITS;
        terms[chunk][term.constant() & CHUNK - 1] = null;
        count--;
        sizes[chunk]--;
        int chunks = terms.length;
        while (chunks > 0 && sizes[chunks - 1] == 0) {
            chunks--;
        }
        if (chunks < terms.length) {
            terms = Arrays.copyOf(terms, chunks);
            clusters = Arrays.copyOf(clusters, chunks);
            sizes = Arrays.copyOf(sizes, chunks);
            capacity = chunks * CHUNK;
        }
    }

    /// @param needed room for so many constants
    private void resize(int needed) {
        int chunks = (needed + CHUNK - 1) >>> CHUNK_BITS;
        int length = chunks > 1 ? CHUNK : Math.min(CHUNK, needed);
        @Nullable Object[][] newClusters = Arrays.copyOf(clusters, chunks);
        @Nullable ConstantTerm[][] newTerms = Arrays.copyOf(terms, chunks);
        sizes = Arrays.copyOf(sizes, chunks);
        for (int chunk = clusters.length; chunk < chunks; chunk++) {
            newClusters[chunk] = new Object[length];
            newTerms[chunk] = new ConstantTerm[length];
        }
        if (newClusters[0].length != length) {
            newClusters[0] = Arrays.copyOf(newClusters[0], length);
            newTerms[0] = Arrays.copyOf(newTerms[0], length);
        }
        terms = newTerms;
        clusters = newClusters;
        capacity = chunks > 1 ? chunks * CHUNK : length;
    }
}
