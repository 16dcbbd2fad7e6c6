package winnow.selector.index.structure;

/// A set of small numbers that is emptied in constant time. Owned by one event loop.
public final class Stamps {

    private final PagedInts stamps = new PagedInts();
    private int current;

    /// Empties the set; numbers in it will be below the limit.
    public void begin(int limit) {
        stamps.ensure(limit);
        current++;
        if (current < 0) {
            stamps.clear();
            current = 1;
        }
    }

    /// Returns whether the number is new.
    public boolean mark(int number) {
        boolean fresh = stamps.get(number) != current;
        stamps.set(number, current);
        return fresh;
    }
}
