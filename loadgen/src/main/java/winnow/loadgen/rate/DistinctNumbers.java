package winnow.loadgen.rate;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// The numbers of messages that have arrived, each once: a doubled message does not make up for one
/// that is lost. Keeps a bit for each number near one that is missing. Thread-safe.
final class DistinctNumbers {

    private static final int PAGE = 1 << 16;

    /// Of 8 KiB each.
    private static final int MOST_PAGES = 1 << 12;

    /// More than any run sends.
    private static final int MOST_PARTS = 1 << 24;

    /// Pages that lack a number.
    private final Map<Integer, Page> open = new HashMap<>();

    /// Pages that lack none.
    private final BitSet complete = new BitSet();

    private static final class Page {
        private final BitSet numbers = new BitSet(PAGE);
        private int count;
    }

    /// @param number from 0
    /// @return true the first time
    /// @throws IllegalStateException if there are numbers missing nearly everywhere
    synchronized boolean add(long number) {
        if (number < 0 || number / PAGE >= MOST_PARTS) {
            throw new IllegalArgumentException("expected the number of a message, found " + number);
        }
        var index = (int) (number / PAGE);
        if (complete.get(index)) {
            return false;
        }
        if (open.size() >= MOST_PAGES && !open.containsKey(index)) {
            throw new IllegalStateException(
                    "messages are missing in each of %,d parts of %,d: expected nearly all"
                            .formatted(MOST_PAGES, PAGE));
        }
        var page = open.computeIfAbsent(index, _ -> new Page());
        var place = (int) (number % PAGE);
        if (page.numbers.get(place)) {
            return false;
        }
        page.numbers.set(place);
        page.count++;
        if (page.count == PAGE) {
            open.remove(index);
            complete.set(index);
        }
        return true;
    }
}
