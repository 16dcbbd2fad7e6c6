package winnow.loadgen.rate;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Lets a publisher send when it is its turn. Owned by the publisher's thread.
@FunctionalInterface
interface Turns {

    /// There are no turns any more.
    long NONE = Long.MAX_VALUE;

    /// Waits for the next turn; does not wait if it has passed.
    ///
    /// @return its time by [System#nanoTime()], or [#NONE]
    long next();

    /// Turns at given times.
    ///
    /// @param begin of the run, by [System#nanoTime()]
    /// @param lengthNanos of the run
    static Turns at(SendTimes times, long begin, long lengthNanos, BooleanSupplier stopped) {
        return () -> {
            var nanos = times.nextNanos();
            return nanos >= lengthNanos || !awaitTime(begin + nanos, stopped)
                    ? NONE
                    : begin + nanos;
        };
    }

    /// Turns as soon as there is room for another message under way.
    static Turns saturated(
            BooleanSupplier hasRoom, long begin, long lengthNanos, BooleanSupplier stopped) {
        return () -> {
            while (!stopped.getAsBoolean()) {
                var now = System.nanoTime();
                if (now - begin >= lengthNanos) {
                    return NONE;
                }
                if (hasRoom.getAsBoolean()) {
                    return now;
                }
                LockSupport.parkNanos(ROOM_POLL_NANOS);
            }
            return NONE;
        };
    }

    /// Between two looks for room.
    long ROOM_POLL_NANOS = 100_000;

    /// Time before a turn in which the thread no longer sleeps: about as much later than asked for
    /// the kernel wakes it.
    long SPIN_NANOS = 60_000;

    /// Sleep after which the thread looks whether it is to stop.
    long LONGEST_SLEEP_NANOS = 100_000_000;

    private static boolean awaitTime(long due, BooleanSupplier stopped) {
        for (var left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (stopped.getAsBoolean()) {
                return false;
            }
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(Math.min(LONGEST_SLEEP_NANOS, left - SPIN_NANOS));
            } else {
                Thread.onSpinWait();
            }
        }
        return !stopped.getAsBoolean();
    }
}
