package winnow.broker.subscription;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// When the messages of one event loop came, by their numbers: to a millisecond, or an eighth of
/// their age if that is more, in 8 KiB however many messages there are. Costs nothing per message.
/// Owned by the loop.
public final class MessageTimes {
    private static final int CAPACITY = 512;

    /// Times are at most so many parts of their age apart: 300 of them tell about a week.
    private static final int PRECISION = 8;

    private static final long MIN_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Number of the first message since the time at the same place, both ascending.
    private final long[] numbers = new long[CAPACITY];

    private final long[] nanos = new long[CAPACITY];
    private int size;

    /// Messages from this number on come now, unless the first came before.
    public void onMessages(long firstNumber, long nowNanos) {
        if (size > 0
                && (nowNanos - nanos[size - 1] < MIN_STEP_NANOS
                        || firstNumber <= numbers[size - 1])) {
            return;
        }
        if (size == CAPACITY) {
            thinOut(nowNanos);
        }
        numbers[size] = firstNumber;
        nanos[size] = nowNanos;
        size++;
    }

    /// Forgets times between two others that are close together for their age.
    private void thinOut(long nowNanos) {
        int kept = 1;
        for (int i = 1; i < size - 1; i++) {
            long gap = nanos[i + 1] - nanos[kept - 1];
            if (gap > (nowNanos - nanos[i + 1]) / PRECISION) {
                keep(i, kept++);
            }
        }
        keep(size - 1, kept++);
        size = kept;
        if (size == CAPACITY) {
            // Years, with a few messages now and then: the oldest half becomes one.
            System.arraycopy(numbers, CAPACITY / 2, numbers, 1, CAPACITY / 2);
            System.arraycopy(nanos, CAPACITY / 2, nanos, 1, CAPACITY / 2);
            size = 1 + CAPACITY / 2;
        }
    }

    private void keep(int from, int to) {
        numbers[to] = numbers[from];
        nanos[to] = nanos[from];
    }

    /// Age that a message has at most, 0 if none came.
    public long ageNanos(long number, long nowNanos) {
        if (size == 0) {
            return 0;
        }
        int found = Arrays.binarySearch(numbers, 0, size, number);
        int place = found >= 0 ? found : Math.max(0, -found - 2);
        return Math.max(0, nowNanos - nanos[place]);
    }
}
