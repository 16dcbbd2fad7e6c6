package winnow.loadgen.machine;

import java.util.Random;

/// A fixed piece of work, a few milliseconds long, of what a broker's loop does: arithmetic on what
/// lies in the first cache, copies within the second, and dependent reads beyond it. Its CPU time
/// says what a CPU second is worth at the moment: a busy sibling of the processor, a lower clock
/// and foreign use of the caches make it longer. Owned by one thread.
final class ReferenceWork {

    /// The three parts take about as long as each other on a quiet machine.
    private static final int ARITHMETIC_ROUNDS = 220;

    private static final int COPY_ROUNDS = 44;
    private static final int READS = 60_000;

    private static final int SMALL = 4 << 10;
    private static final int MEDIUM = 512 << 10;
    private static final int LARGE = 4 << 20;

    private final long[] small = new Random(1).longs(SMALL).toArray();
    private final byte[] from = new byte[MEDIUM];
    private final byte[] to = new byte[MEDIUM];

    /// A ring through all of its indexes, in random order.
    private final int[] next = ring(LARGE / Integer.BYTES);

    private int position;

    /// Does the work once.
    ///
    /// @return a figure that depends on all of it, so that no compiler leaves any out
    long run() {
        var sum = 0L;
        for (var round = 0; round < ARITHMETIC_ROUNDS; round++) {
            for (var value : small) {
                sum = (sum ^ value) * 0x9E3779B97F4A7C15L + (sum >>> 29);
            }
        }
        for (var round = 0; round < COPY_ROUNDS; round++) {
            from[round] = (byte) sum;
            System.arraycopy(from, 0, to, 0, MEDIUM);
            System.arraycopy(to, 0, from, 0, MEDIUM);
        }
        for (var read = 0; read < READS; read++) {
            position = next[position];
        }
        return sum + position + to[0];
    }

    /// Sattolo's algorithm: a permutation of one cycle.
    private static int[] ring(int length) {
        var order = new int[length];
        for (var i = 0; i < length; i++) {
            order[i] = i;
        }
        var random = new Random(2);
        for (var i = length - 1; i > 0; i--) {
            var other = random.nextInt(i);
            var kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        return order;
    }
}
