package winnow.selector.index.lookup;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.ConstantTerm;

/// The terms that compare a slot with constants, and what hangs on them, by number of the constant.
/// A message needs only the latter, so a look at the term is spared. Counts the uses of the terms,
/// too. One writer, many readers.
final class Constants {

    private static final VarHandle CLUSTERS = MethodHandles.arrayElementVarHandle(Object[].class);

    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    /// Ints before and behind the counts of uses, so that these have their cache lines to
    /// themselves: each selector that comes or goes changes some. Where they were fields of the
    /// terms, on lines that messages read all the time, selectors of 6 equalities came and went 6 %
    /// more slowly beside a thread that matches.
    private static final int MARGIN = 64 / Integer.BYTES;

    private static final @Nullable Object[][] NO_CLUSTERS = {};
    private static final @Nullable ConstantTerm[][] NO_TERMS = {};
    private static final int[][] NO_USES = {};

    /// Contents of [winnow.selector.index.node.Cluster], in chunks, so that growing copies little.
    private volatile @Nullable Object[][] clusters = NO_CLUSTERS;

    /// As long as the clusters. Writer only.
    private @Nullable ConstantTerm[][] terms = NO_TERMS;

    /// As long as the clusters, but for the margins: how many uses each term has. Writer only.
    private int[][] uses = NO_USES;

    /// How many terms are in each chunk.
    private int[] sizes = {};

    /// Room for constants below this number. As long as it is less than a chunk, so is the chunk.
    private int capacity;

    private int count;

    /// What hangs on the term of a constant, if there is one. Any thread.
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

    /// Counts one more use of a term.
    void acquire(ConstantTerm term) {
        checkIsHere(term);
        int constant = term.constant();
        uses[constant >>> CHUNK_BITS][MARGIN + (constant & CHUNK - 1)]++;
    }

    /// Takes one use back and returns whether it was the last.
    boolean release(ConstantTerm term) {
        checkIsHere(term);
        int constant = term.constant();
        return --uses[constant >>> CHUNK_BITS][MARGIN + (constant & CHUNK - 1)] == 0;
    }

    /// The uses of a term that has gone would be those of the next one of its number.
    private void checkIsHere(ConstantTerm term) {
        if (!isHere(term)) {
            throw new IllegalStateException(
                    "the term of constant " + term.constant() + " has gone");
        }
    }

    @SuppressWarnings("ReferenceEquality") // Terms are equal by identity.
    private boolean isHere(ConstantTerm term) {
        return term(term.constant()) == term;
    }

    /// Whether a term is here and has uses.
    boolean isUsed(ConstantTerm term) {
        int constant = term.constant();
        return isHere(term) && uses[constant >>> CHUNK_BITS][MARGIN + (constant & CHUNK - 1)] > 0;
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
            uses = Arrays.copyOf(uses, chunks);
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
        uses = Arrays.copyOf(uses, chunks);
        sizes = Arrays.copyOf(sizes, chunks);
        for (int chunk = clusters.length; chunk < chunks; chunk++) {
            newClusters[chunk] = new Object[length];
            newTerms[chunk] = new ConstantTerm[length];
            uses[chunk] = new int[MARGIN + length + MARGIN];
        }
        if (newClusters[0].length != length) {
            newClusters[0] = Arrays.copyOf(newClusters[0], length);
            newTerms[0] = Arrays.copyOf(newTerms[0], length);
            uses[0] = Arrays.copyOf(uses[0], MARGIN + length + MARGIN);
        }
        terms = newTerms;
        clusters = newClusters;
        capacity = chunks > 1 ? chunks * CHUNK : length;
    }
}
