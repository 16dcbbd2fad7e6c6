package winnow.selector.index.structure;

import java.util.Arrays;

/// A set of small numbers that is emptied in constant time. Owned by one event loop.
public final class Stamps {

    private int[] stamps = {};
    private int current;

    /// Empties the set; numbers in it will be below the limit.
    public void begin(int limit) {
        if (stamps.length < limit) {
            stamps = new int[Math.max(limit, 2 * stamps.length)];
            current = 0;
        }
        current++;
        if (current < 0) {
            Arrays.fill(stamps, 0);
            current = 1;
        }
    }

    /// Returns whether the number is new.
    public boolean mark(int number) {
        boolean fresh = stamps[number] != current;
        stamps[number] = current;
        return fresh;
    }
}
