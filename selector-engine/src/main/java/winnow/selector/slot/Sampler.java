package winnow.selector.slot;

import java.util.concurrent.ThreadLocalRandom;

/// Picks one in so many at random distances, so that nothing that comes in a rhythm is always or
/// never picked. Owned by one event loop.
public final class Sampler {

    private final int mask;
    private int random = ThreadLocalRandom.current().nextInt() | 1;

    /// @param period mean distance, a power of two
    public Sampler(int period) {
        if (Integer.bitCount(period) != 1) {
            throw new IllegalArgumentException("not a power of two: " + period);
        }
        this.mask = 2 * period - 2;
    }

    /// Distance in messages to the next one to pick: 1, 3, .. twice the period less 1; by
    /// Marsaglia's xorshift.
    public int distance() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return 1 + (random & mask);
    }
}
