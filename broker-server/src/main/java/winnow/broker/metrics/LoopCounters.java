package winnow.broker.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Figures of one event loop. The loop alone writes, without locks or fences, so that counting a
/// message costs a few plain additions; all threads read, without the loop's help.
public final class LoopCounters {
    private static final long NO_THREAD = -1;

    /// With more copies the former ones count half from then on, each time that recent ones are
    /// added: the first 10,000 after a start take several times as long as later ones, because the
    /// code is still being compiled.
    private static final long RECENT_COPIES = 16_384;

    private final BrokerCounters totals;
    final int index;
    final LoopHistogram sizes =
            new LoopHistogram(
                    64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216);
    final LoopHistogram grades =
            new LoopHistogram(0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384, 65_536);
    final LoopHistogram dwellNanos =
            new LoopHistogram(
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
                    micros(500_000),
                    micros(1_000_000),
                    micros(5_000_000),
                    micros(10_000_000),
                    micros(60_000_000));

    private final Iterations iterations = new Iterations(sizes);
    private final AtomicLong dispatchedBytes = new AtomicLong();
    private final AtomicLong deliveredCopies = new AtomicLong();
    private final AtomicLong deliveryNanos = new AtomicLong();
    private final AtomicLong flushNanos = new AtomicLong();
    private final AtomicLong receiveNanos = new AtomicLong();
    private final Map<BlockReason, BlockedTime> blocked = new EnumMap<>(BlockReason.class);
    private volatile Waiting waiting = new Waiting(0, 0);
    private volatile Recent recent = new Recent(0, 0);

    /// Copies that are yet to be added to [#recent]. For the loop.
    private long newCopies;

    private long newNanos;

    /// True if there was a copy since outputs were last written to their sockets. For the loop.
    private boolean copiesToFlush;

    private volatile long threadId = NO_THREAD;

    /// Copies that wait for consumers.
    ///
    /// @param copies how many
    /// @param oldestAgeNanos how long the oldest has waited, 0 if none waits
    public record Waiting(long copies, long oldestAgeNanos) {}

    /// Time that copies took, of which the latest weigh most.
    record Recent(double copies, double nanos) {
        Recent and(long moreCopies, long moreNanos) {
            double share = copies > RECENT_COPIES ? 0.5 : 1;
            return new Recent(share * copies + moreCopies, share * nanos + moreNanos);
        }
    }

    /// @param totals what the loop's values are part of
    public LoopCounters(BrokerCounters totals, int index) {
        this.totals = totals;
        this.index = index;
        for (BlockReason reason : BlockReason.values()) {
            blocked.put(reason, new BlockedTime());
        }
        totals.loops.add(this);
    }

    private static long micros(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }

    private static void add(AtomicLong counter, long amount) {
        counter.setOpaque(counter.getPlain() + amount);
    }

    /// One message of `bytes` was routed to `copies` subscriptions.
    public void routed(int bytes, int copies) {
        sizes.record(bytes);
        grades.record(copies);
        add(dispatchedBytes, (long) bytes * copies);
    }

    /// Bringing so many copies to their outputs took so long.
    public void delivered(int copies, long nanos) {
        add(deliveredCopies, copies);
        add(deliveryNanos, nanos);
        newCopies += copies;
        newNanos += nanos;
        copiesToFlush |= copies > 0;
    }

    /// Writing outputs to their sockets took so long.
    public void flushed(long nanos) {
        add(flushNanos, nanos);
        if (copiesToFlush) {
            copiesToFlush = false;
            newNanos += nanos;
            if (recent.copies == 0) {
                updateRecent();
            }
        }
    }

    /// Handling what was read took so long, without deliveries, as far as samples tell.
    public void handled(long nanos) {
        add(receiveNanos, nanos);
    }

    /// So many sampled copies left the broker so long after their messages were read.
    public void dwelt(long nanos, int copies) {
        dwellNanos.record(Math.max(0, nanos), copies);
    }

    /// A producer's credit is held back from now on.
    public void onBlocked(BlockReason reason) {
        blocked(reason).onBlocked(System.nanoTime());
    }

    /// It is not any more.
    public void onFreed(BlockReason reason) {
        blocked(reason).onFreed(System.nanoTime());
    }

    /// Notes what waits for consumers of the loop; to be told now and then.
    public void onWaiting(Waiting now) {
        waiting = now;
    }

    /// Counts what copies have taken since the last call as recent; to be called now and then.
    /// Writing to sockets is left out where there was no copy among what was written.
    public void updateRecent() {
        if (newCopies > 0) {
            recent = recent.and(newCopies, newNanos);
            newCopies = 0;
            newNanos = 0;
        }
    }

    /// The caller is the loop's thread.
    public void onStart() {
        threadId = Thread.currentThread().threadId();
    }

    /// Counters of the loop's iterations.
    public Iterations iterations() {
        return iterations;
    }

    /// Totals of the broker.
    public BrokerCounters totals() {
        return totals;
    }

    /// Time spent on bringing copies to their outputs. For the loop.
    public long deliveryNanos() {
        return deliveryNanos.getPlain();
    }

    /// Time spent on handling what was read, without deliveries.
    long receiveNanos() {
        return receiveNanos.getOpaque();
    }

    long dispatchedBytes() {
        return dispatchedBytes.getOpaque();
    }

    long deliveredCopies() {
        return deliveredCopies.getOpaque();
    }

    /// Time spent on bringing copies to outputs and on writing these to sockets.
    long transmitNanos() {
        return deliveryNanos.getOpaque() + flushNanos.getOpaque();
    }

    Recent recent() {
        return recent;
    }

    BlockedTime blocked(BlockReason reason) {
        return Objects.requireNonNull(blocked.get(reason));
    }

    Waiting waiting() {
        return waiting;
    }

    /// Number of the loop's thread, -1 before it has started.
    long threadId() {
        return threadId;
    }
}
