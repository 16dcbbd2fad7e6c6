package winnow.tests.queues;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Receives what waits.
///
/// @param received messages
/// @param seconds from the first to the last
/// @param cpuMicros processor time of the broker per message, without its just-in-time compilers
/// @param residentBegin of the broker's memory, bytes
/// @param residentMost of the broker's memory, bytes
/// @param residentEnd of the broker's memory, bytes
record Drain(
        long received,
        double seconds,
        double cpuMicros,
        long residentBegin,
        long residentMost,
        long residentEnd) {

    private static final Duration SILENCE = Duration.ofSeconds(10);

    /// Looks at the consumers for one look at the memory, which takes time from what is measured.
    private static final int LOOKS = 50;

    /// What starts the consumers.
    @FunctionalInterface
    interface Start {
        void run() throws Exception;
    }

    /// @param expected messages
    /// @param limit after which it ends with fewer messages; it also ends if none come for a while
    static Drain of(Start start, QueueWindow window, long expected, Gauge gauge, Duration limit)
            throws Exception {
        long before = gauge.residentBytes();
        long most = before;
        long cpu = gauge.read().cpuNanos();
        long begin = System.nanoTime();
        start.run();
        long last = begin;
        long received = 0;
        int looks = 0;
        for (long now = begin;
                received < expected
                        && now - begin < limit.toNanos()
                        && now - last < SILENCE.toNanos();
                now = System.nanoTime()) {
            if (window.received() > received) {
                received = window.received();
                last = now;
            }
            if (++looks % LOOKS == 0) {
                most = Math.max(most, resident(gauge, most));
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return new Drain(
                received,
                Math.max(1, last - begin) / 1e9,
                (gauge.read().cpuNanos() - cpu) / 1e3 / received,
                before,
                most,
                gauge.residentBytes());
    }

    private static long resident(Gauge gauge, long otherwise) {
        try {
            return gauge.residentBytes();
        } catch (IOException ended) {
            return otherwise;
        }
    }

    Figures figures() {
        return new Figures()
                .with("messages", (double) received)
                .with("seconds", seconds)
                .with("msg/s", received / seconds)
                .with("broker us/msg", cpuMicros)
                .with("RSS MB begin", residentBegin / 1e6)
                .with("RSS MB most", residentMost / 1e6)
                .with("RSS MB end", residentEnd / 1e6);
    }
}
