package winnow.selector.index;

import java.util.Arrays;

/// Small numbers for objects that come and go, used again so that arrays by number stay short.
/// Writer only.
final class Numbers {

    private int[] free = new int[8];
    private int freeCount;
    private int limit;
    private boolean reused;

    int take() {
        if (freeCount == 0) {
            return limit++;
        }
        reused = true;
        return free[--freeCount];
    }

    void giveBack(int number) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = number;
        if (freeCount == limit && limit > 8) {
            // None is in use: forget how many there were.
            free = new int[8];
            Arrays.setAll(free, i -> i);
            freeCount = free.length;
            limit = free.length;
        }
    }

    /// All numbers that were ever taken are below this, unless none is in use.
    int limit() {
        return limit;
    }

    /// How many are in use.
    int size() {
        return limit - freeCount;
    }

    /// Whether a number was used again since the last call.
    boolean takeReused() {
        boolean taken = reused;
        reused = false;
        return taken;
    }
}
