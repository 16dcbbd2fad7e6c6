package winnow.broker.storage;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import winnow.broker.metrics.StorageFigures;
import winnow.broker.shard.Counts;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Shard;
import winnow.broker.shard.ShardConfig;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.wire.DestinationKind;

/// Figures of a shard for other threads: its thread makes new ones from time to time, all others
/// read the last ones.
final class FigureSnapshots {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// Making figures takes this part of the thread's time at most.
    private static final int COST_PART = 50;

    private final Supplier<StorageFigures.Disk> disk;
    private final LogMeter meter;
    private final String deadLetters;
    private final long windowLimitBytes;

    /// Of shards that are not used any more.
    private final Counts before = new Counts();

    private long quarantinedBefore;
    private long nextNanos = System.nanoTime();

    /// True if times of messages that are not in memory are being read.
    private boolean reading;

    private volatile StorageFigures last = StorageFigures.NONE;

    /// @param disk what is free
    FigureSnapshots(ShardConfig rules, LogMeter meter, Supplier<StorageFigures.Disk> disk) {
        this.meter = meter;
        this.disk = disk;
        this.deadLetters = rules.deadLetters();
        this.windowLimitBytes = rules.windowBytes();
    }

    /// The last figures. Any thread.
    StorageFigures last() {
        return last;
    }

    /// Makes new ones if it is time. Shard's thread only.
    void refresh(ShardFiles.Opened opened) {
        long start = System.nanoTime();
        if (start - nextNanos >= 0) {
            renew(opened, start);
        }
    }

    /// Makes new ones now, because everybody should know. Shard's thread only.
    void renew(ShardFiles.Opened opened) {
        renew(opened, System.nanoTime());
    }

    private void renew(ShardFiles.Opened opened, long start) {
        Shard shard = opened.shard();
        Counts all = new Counts();
        all.add(before);
        addCounts(shard, all);
        last =
                new StorageFigures(
                        content(shard),
                        QueueFiguresReader.flow(all),
                        ofLog(opened),
                        disk.get(),
                        failure(shard));
        readTimes(shard);
        long end = System.nanoTime();
        nextNanos = end + Math.max(INTERVAL_NANOS, (end - start) * COST_PART);
    }

    /// Since when messages wait that are not in memory is in the figures that are made next.
    private void readTimes(Shard shard) {
        if (reading || shard.failure().isPresent()) {
            return;
        }
        reading = true;
        OldestMessages.read(shard, shard.catalog().subscriptions(), () -> reading = false);
    }

    /// Another shard takes over. Shard's thread only.
    void onReplaced(Shard former) {
        addCounts(former, before);
        quarantinedBefore += former.quarantined();
        reading = false;
    }

    private static String failure(Shard shard) {
        return shard.failure().map(failure -> String.valueOf(failure.getMessage())).orElse("");
    }

    private StorageFigures.Content content(Shard shard) {
        int queues = 0;
        int paused = 0;
        int subscriptions = 0;
        int consumers = 0;
        long messages = 0;
        long bytes = 0;
        long unacknowledged = 0;
        long unattended = 0;
        long dead = 0;
        long now = System.currentTimeMillis();
        long since = Long.MAX_VALUE;
        for (StoredSubscription one : shard.catalog().subscriptions()) {
            boolean queue = one.destination().kind() == DestinationKind.QUEUE;
            queues += queue ? 1 : 0;
            paused += one.destination().paused() ? 1 : 0;
            subscriptions += queue ? 0 : 1;
            int itsConsumers = one.consumers();
            long itsMessages = one.messages();
            consumers += itsConsumers;
            messages += itsMessages;
            bytes += one.bytes();
            unacknowledged += one.unacknowledged();
            if (queue && one.destination().name().equals(deadLetters)) {
                dead = itsMessages;
                continue;
            }
            unattended += itsConsumers == 0 ? itsMessages : 0;
            since = Math.min(since, one.waitingSince(now).orElse(Long.MAX_VALUE));
        }
        return new StorageFigures.Content(
                queues,
                paused,
                subscriptions,
                consumers,
                messages,
                bytes,
                unacknowledged,
                unattended,
                dead,
                since == Long.MAX_VALUE ? 0 : since);
    }

    private static void addCounts(Shard shard, Counts sum) {
        sum.add(shard.formerCounts());
        for (StoredDestination one : shard.catalog().destinations()) {
            sum.add(one.counts());
        }
    }

    private StorageFigures.Log ofLog(ShardFiles.Opened opened) {
        return new StorageFigures.Log(
                opened.log().epoch(),
                meter.entries(),
                meter.entryBytes(),
                meter.commits(),
                meter.commitNanos(),
                meter.stalledNanos(System.nanoTime()),
                quarantinedBefore + opened.shard().quarantined(),
                opened.shard().windowBytes(),
                windowLimitBytes);
    }
}
