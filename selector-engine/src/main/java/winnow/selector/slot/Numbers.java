package winnow.selector.slot;

import java.util.BitSet;

/// Small numbers for objects that come and go. The lowest that is free is taken first, so that
/// arrays by number can be short again when few objects are left. Writer only.
public final class Numbers {

    private BitSet free = new BitSet();

    /// No lower number is free.
    private int lowest;

    private int freeCount;
    private int limit;

    /// All numbers below this were in use before.
    private int used;

    private boolean reused;

    public int take() {
        int number = limit;
        if (freeCount == 0) {
            limit++;
        } else {
            number = free.nextSetBit(lowest);
            free.clear(number);
            lowest = number + 1;
            freeCount--;
        }
        reused |= number < used;
        used = Math.max(used, number + 1);
        return number;
    }

    public void giveBack(int number) {
        free.set(number);
        freeCount++;
        lowest = Math.min(lowest, number);
        if (number == limit - 1) {
            trim();
        }
    }

    /// Forgets the free numbers above all that are in use.
    private void trim() {
        int inUse = free.previousClearBit(limit - 1) + 1;
        freeCount -= limit - inUse;
        free.clear(inUse, limit);
        limit = inUse;
        lowest = Math.min(lowest, limit);
        if (free.size() > 8 * Math.max(Long.SIZE, limit)) {
            // A bit set never shrinks, but its copy is as small as possible.
            free = (BitSet) free.clone();
        }
    }

    /// All numbers that are in use are below this.
    public int limit() {
        return limit;
    }

    /// Count of the numbers in use.
    public int size() {
        return limit - freeCount;
    }

    /// True if a number was used again since the last call.
    public boolean takeReused() {
        boolean taken = reused;
        reused = false;
        return taken;
    }
}
