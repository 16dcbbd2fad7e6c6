package winnow.selector.index.term;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import winnow.selector.slot.Numbers;

/// The terms that rows of tests name by a number, because nothing shorter says what they ask: see
/// [TestWriter#asked]. One writer, many readers.
public final class AskedTerms {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private volatile List<AtomicReferenceArray<@Nullable PredicateTerm>> chunks = List.of();
    private final Numbers numbers = new Numbers();

    /// @return its number
    int add(PredicateTerm term) {
        int number = numbers.take();
        List<AtomicReferenceArray<@Nullable PredicateTerm>> current = chunks;
        if (number >> CHUNK_BITS == current.size()) {
            List<AtomicReferenceArray<@Nullable PredicateTerm>> more = new ArrayList<>(current);
            more.add(new AtomicReferenceArray<>(CHUNK));
            current = List.copyOf(more);
            chunks = current;
        }
        current.get(number >> CHUNK_BITS).setRelease(number & (CHUNK - 1), term);
        return number;
    }

    void remove(int number) {
        chunks.get(number >> CHUNK_BITS).setRelease(number & (CHUNK - 1), null);
        numbers.giveBack(number);
        int used = (numbers.limit() + CHUNK - 1) >> CHUNK_BITS;
        if (used < chunks.size()) {
            chunks = List.copyOf(chunks.subList(0, used));
        }
    }

    /// Null if there is none, or none yet. Any thread.
    public @Nullable PredicateTerm term(int number) {
        List<AtomicReferenceArray<@Nullable PredicateTerm>> current = chunks;
        int chunk = number >> CHUNK_BITS;
        return chunk >= 0 && chunk < current.size()
                ? current.get(chunk).getAcquire(number & (CHUNK - 1))
                : null;
    }
}
