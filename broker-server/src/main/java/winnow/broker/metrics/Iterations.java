package winnow.broker.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Iterations of one event loop, each from the return of its poll until the loop polls again. A
/// turn that finds nothing to do is not one. The loop alone writes, all threads read.
public final class Iterations {
    /// A poll that may wait and takes longer has slept, if no more than one socket is ready. At
    /// 20,000 to 100,000 messages a second polls that find a socket ready take 1 to 2 µs, and those
    /// that sleep 4 µs and more; one in a hundred is between.
    static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(4);

    /// The same for each further socket: polls that find 50 of 300 ready take 0.3 to 0.8 µs for
    /// each.
    static final long SOCKET_NANOS = TimeUnit.MICROSECONDS.toNanos(1);

    final LoopHistogram nanos =
            new LoopHistogram(
                    micros(2),
                    micros(5),
                    micros(10),
                    micros(20),
                    micros(50),
                    micros(100),
                    micros(200),
                    micros(500),
                    micros(1_000),
                    micros(2_000),
                    micros(5_000),
                    micros(10_000),
                    micros(20_000),
                    micros(50_000),
                    micros(100_000),
                    micros(200_000),
                    micros(500_000),
                    micros(1_000_000));
    final LoopHistogram messages =
            new LoopHistogram(
                    0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384);

    private final LoopHistogram routed;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong wakeups = new AtomicLong();

    /// When the loop began to poll, and after the poll when that returned. For the loop.
    private long beginNanos;

    /// Time of the last poll if it was one that may wait, else 0. For the loop.
    private long waitedNanos;

    /// True if the present turn is an iteration. For the loop.
    private boolean worked;

    /// Messages that are not among those that were routed. For the loop.
    private long stored;

    /// Messages of former iterations. For the loop.
    private long formerMessages;

    /// Sums of all iterations.
    ///
    /// @param iterations how many
    /// @param nanos their time
    /// @param messages that came in them
    /// @param reads of sockets
    /// @param writes to sockets
    /// @param wakeups how many began after a sleep
    public record Totals(
            long iterations, long nanos, long messages, long reads, long writes, long wakeups) {}

    /// @param routed has an entry for each message that the loop has routed
    Iterations(LoopHistogram routed) {
        this.routed = routed;
    }

    private static long micros(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }

    private static void increment(AtomicLong counter) {
        counter.setOpaque(counter.getPlain() + 1);
    }

    /// The loop is about to poll: its iteration ends.
    public void onPoll(long nowNanos) {
        if (worked) {
            worked = false;
            nanos.record(Math.max(0, nowNanos - beginNanos));
            long all = routed.count() + stored;
            messages.record(all - formerMessages);
            formerMessages = all;
        }
        beginNanos = nowNanos;
    }

    /// The poll has returned: a turn begins.
    ///
    /// @param mayWait whether the poll had to wait if nothing was ready
    public void onPolled(long nowNanos, boolean mayWait) {
        waitedNanos = mayWait ? nowNanos - beginNanos : 0;
        beginNanos = nowNanos;
    }

    /// The sockets have been handled that were ready.
    public void onHandled(int sockets) {
        if (waitedNanos > SLEEP_NANOS + SOCKET_NANOS * Math.max(0, sockets - 1)) {
            increment(wakeups);
            worked = true;
        }
        waitedNanos = 0;
        worked |= sockets > 0;
    }

    /// The present turn has found something to do.
    public void onWork() {
        worked = true;
    }

    /// A message came that is not routed to live subscriptions.
    public void onStoredMessage() {
        stored++;
    }

    /// A socket is read.
    public void onRead() {
        increment(reads);
    }

    /// A socket is written to.
    public void onWrite() {
        increment(writes);
    }

    /// The sums of all iterations so far. Any thread.
    public Totals totals() {
        return new Totals(
                nanos.count(),
                nanos.sum(),
                messages.sum(),
                reads.getOpaque(),
                writes.getOpaque(),
                wakeups.getOpaque());
    }
}
