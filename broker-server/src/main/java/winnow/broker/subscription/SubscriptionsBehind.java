package winnow.broker.subscription;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// The subscriptions that are behind and do not hold producers back, and which of them has to go
/// when all together keep more than there is room for: those that would take longest to catch up,
/// since they have most and take least. Thread-safe.
public final class SubscriptionsBehind {
    /// Times for which too much may be kept while the file takes some, and takes nothing, before
    /// somebody has to go.
    private static final long HELPED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// Time after which the messages of those who had to go are away, or written over.
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /// One that catches up within this time at its pace does not go.
    private static final double MIN_SECONDS = 1;

    /// More than there can be.
    private static final int MAX_GOING = 1 << 20;

    private final BacklogMemory memory;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private volatile Limits limits = new Limits(SubscriptionConfig.DEFAULTS);

    /// The rest is of the thread that looks: since when too much is kept, 0 if it is not, and since
    /// when the file takes nothing.
    private long highSinceNanos;

    private long stuckSinceNanos;
    private long writtenBefore;
    private long nextRoundNanos;

    /// Number that has to go in the next round: twice that of the last, because what waits for
    /// several is kept as long as one of them is there. At most [#MAX_GOING].
    private int going = 1;

    /// One of them. Its methods may be called by any thread.
    public interface Entry {
        /// Description for people and programs.
        BehindSubscription info();

        /// Bytes that wait for it.
        long waitingBytes();

        /// Seconds it would take to catch up at the pace of the last moment, infinite if it has
        /// taken nothing; 0 if that is not known yet, or it is ending.
        double catchUpSeconds();

        /// Ends it.
        ///
        /// @param why for people
        void end(String why);
    }

    /// A subscription that is behind.
    ///
    /// @param subscription it and its connection, for people
    /// @param waitingBytes what waits for it
    /// @param seconds since when it is behind
    /// @param idleSeconds since when it has taken nothing
    public record BehindSubscription(
            String topic, String subscription, long waitingBytes, long seconds, long idleSeconds) {}

    /// Limits of each of them.
    ///
    /// @param bytes that may wait for it
    /// @param idle how long it may take nothing
    public record Limits(long bytes, Duration idle) {
        public Limits(SubscriptionConfig config) {
            this(config.spillBuffer().bytes(), config.spillTimeout());
        }
    }

    SubscriptionsBehind(BacklogMemory memory) {
        this.memory = memory;
    }

    /// Limits of each.
    public Limits limits() {
        return limits;
    }

    public void limits(Limits newLimits) {
        limits = newLimits;
    }

    public void add(Entry entry) {
        entries.add(entry);
    }

    /// It is not behind any more, or has ended.
    public void remove(Entry entry) {
        entries.remove(entry);
    }

    /// Number of them.
    public int count() {
        return entries.size();
    }

    /// At most so many of those of some topics, those with most first.
    public List<BehindSubscription> list(Predicate<String> topics, int limit) {
        return entries.stream()
                .map(Entry::info)
                .filter(one -> topics.test(one.topic()))
                .sorted((one, other) -> Long.compare(other.waitingBytes(), one.waitingBytes()))
                .limit(limit)
                .toList();
    }

    /// Has some of them end if all together keep too much and the file does not help. To be called
    /// every 100 ms or so by one thread.
    public void look(long nowNanos) {
        long written = memory.writtenSegments();
        if (!memory.high()) {
            highSinceNanos = 0;
            going = 1;
        } else if (highSinceNanos == 0) {
            highSinceNanos = nowNanos;
            stuckSinceNanos = nowNanos;
            nextRoundNanos = nowNanos;
        } else {
            stuckSinceNanos = written == writtenBefore ? stuckSinceNanos : nowNanos;
            boolean due =
                    nowNanos - stuckSinceNanos >= STUCK_NANOS
                            || nowNanos - highSinceNanos >= HELPED_NANOS;
            if (due && nowNanos - nextRoundNanos >= 0) {
                endSome();
                nextRoundNanos = nowNanos + ROUND_NANOS;
            }
        }
        writtenBefore = written;
    }

    private void endSome() {
        List<Judged> worst =
                entries.stream()
                        .map(Judged::new)
                        .filter(one -> one.seconds >= MIN_SECONDS)
                        .sorted(Judged.WORST_FIRST)
                        .limit(going)
                        .toList();
        for (Judged one : worst) {
            one.entry.end(
                    "has "
                            + one.bytes
                            + " bytes waiting and would take longest to catch up, and "
                            + memory.whyHigh());
        }
        going = worst.isEmpty() ? 1 : Math.min(2 * going, MAX_GOING);
    }

    /// One of them, as it is now.
    private record Judged(Entry entry, double seconds, long bytes) {
        static final Comparator<Judged> WORST_FIRST =
                Comparator.comparingDouble(Judged::seconds)
                        .thenComparingLong(Judged::bytes)
                        .reversed();

        Judged(Entry entry) {
            this(entry, entry.catchUpSeconds(), entry.waitingBytes());
        }
    }
}
