package winnow.tests.queues;

import java.util.Arrays;
import java.util.List;

/// How long calls took. Written by one thread, read when that has ended.
final class Latencies {
    private static final int FIRST = 1 << 12;

    private int[] nanos = new int[FIRST];
    private int count;

    /// All of them together.
    static Latencies of(List<Latencies> parts) {
        Latencies all = new Latencies();
        all.count = parts.stream().mapToInt(part -> part.count).sum();
        all.nanos = new int[all.count];
        int end = 0;
        for (Latencies part : parts) {
            System.arraycopy(part.nanos, 0, all.nanos, end, part.count);
            end += part.count;
        }
        Arrays.sort(all.nanos);
        return all;
    }

    /// @param duration nanoseconds; more than two seconds count as two
    void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = (int) Math.min(duration, Integer.MAX_VALUE);
    }

    /// The time that a share of the calls did not exceed, in microseconds; only of what [#of] made.
    /// 0 if there were none.
    double micros(double share) {
        return count == 0 ? 0 : nanos[(int) (share * (count - 1))] / 1000.0;
    }
}
