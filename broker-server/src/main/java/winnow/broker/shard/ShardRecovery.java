package winnow.broker.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.roaringbitmap.RoaringBitmap;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Makes a shard from its log: reads destinations, subscriptions, their progress and the headers of
/// all messages, but no bodies.
public final class ShardRecovery {
    private final ShardLog log;
    private final Shard shard;
    private final Map<Integer, StoredDestination> destinations = new HashMap<>();

    private final boolean allSuspect;

    private ShardRecovery(ShardLog log, Shard shard, boolean allSuspect) {
        this.log = log;
        this.allSuspect = allSuspect;
        this.shard = shard;
    }

    /// Reads a log. Blocks; the shard belongs to `executor` from then on.
    ///
    /// @param executor the shard's thread
    /// @param readers read messages later
    /// @param propertyNames names of properties by their numbers, from 1; called when messages come
    /// @throws LogException if the log cannot be read, or has what no shard writes
    public static Shard open(
            ShardLog log,
            ShardConfig config,
            Executor executor,
            Executor readers,
            IntFunction<String> propertyNames,
            long nowMillis) {
        ShardTime time = new ShardTime(nowMillis);
        return open(log, config, executor, readers, propertyNames, time, false);
    }

    /// The same.
    ///
    /// @param time that of the shard whose place it takes, or a new one
    /// @param allSuspect whether the log has failed while it was open last: then every message may
    ///   have been delivered, and is marked as such. It is to be said again until [Shard#sync] has
    ///   succeeded
    public static Shard open(
            ShardLog log,
            ShardConfig config,
            Executor executor,
            Executor readers,
            IntFunction<String> propertyNames,
            ShardTime time,
            boolean allSuspect) {
        Shard shard = new Shard(log, config, executor, readers, propertyNames, time);
        new ShardRecovery(log, shard, allSuspect).read();
        return shard;
    }

    private void read() {
        log.scan(
                Table.NAMES,
                Keys.FIRST,
                Keys.END,
                (key, row) -> {
                    shard.names().recover(key, row);
                    return true;
                });
        shard.ids().recover(log.get(Table.META, Ids.KEY));
        shard.time().recover(log.get(Table.META, ShardTime.KEY));
        shard.bodies().recover(log.get(Table.META, LargeBodies.KEY));
        log.scan(
                Table.DESTINATIONS,
                Keys.FIRST,
                Keys.END,
                (key, row) -> {
                    onDestination(ShardRows.destination(key, row));
                    return true;
                });
        log.scan(
                Table.SUBSCRIPTIONS,
                Keys.FIRST,
                Keys.END,
                (key, row) -> {
                    StoredSubscription subscription =
                            ShardRows.subscription(key, row, destinations);
                    shard.catalog().add(subscription);
                    return true;
                });
        log.scan(
                Table.PREPARED,
                Keys.FIRST,
                Keys.END,
                (key, row) -> {
                    shard.transactions().recover(key, row);
                    return true;
                });
        readSentAgain();
        for (StoredDestination destination : shard.catalog().destinations()) {
            readMessages(destination);
            destination.subscriptions().forEach(shard.catalog()::onChanged);
            shard.catalog().onChanged(destination);
        }
        shard.transactions().onRecovered();
        shard.bodies().deleteOthers(log);
    }

    private void readSentAgain() {
        shard.sentAgain().recover(log.get(Table.META, SentAgain.STORE));
        shard.sentAgain().identifiers().recover(log.get(Table.META, DuplicateWindow.KEY));
        log.scan(
                Table.DUPLICATES,
                Keys.FIRST,
                Keys.END,
                (key, row) -> {
                    shard.sentAgain().identifiers().recover(shard.journal().batch(), key, row);
                    return true;
                });
        log.scan(
                Table.INSTANCES,
                Keys.FIRST,
                Keys.END,
                (key, row) -> {
                    shard.sentAgain().instances().recover(key, row);
                    return true;
                });
        shard.sentAgain().instances().onRecovered(shard.journal().batch());
    }

    private void onDestination(StoredDestination destination) {
        if (destination.temporary()) {
            // It ended with the broker.
            destination.space().onStored(Long.MAX_VALUE - 1);
            ShardRows.delete(shard.journal().batch(), destination);
            return;
        }
        destination.inLog = true;
        destination.admitted = true;
        destination.setPolicy(shard.config().policies().of(destination.kind(), destination.name()));
        destinations.put(destination.id(), destination);
        shard.catalog().add(destination);
        String _ = shard.catalog().charge(destination, "");
    }

    /// Progress of a subscription.
    ///
    /// @param head everything below has been acknowledged
    /// @param acknowledged of the rest, by chunk
    private record Past(long head, Map<Long, RoaringBitmap> acknowledged) {
        boolean acknowledged(long sequence) {
            if (sequence < head) {
                return true;
            }
            RoaringBitmap chunk = acknowledged.get(sequence >>> Progress.CHUNK_BITS);
            return chunk != null
                    && chunk.contains((int) sequence & ((1 << Progress.CHUNK_BITS) - 1));
        }
    }

    private Past readPast(StoredSubscription subscription) {
        int id = subscription.id();
        long head = 0;
        long mark = 0;
        byte[] progress = log.get(Table.PROGRESS, Keys.of(id));
        if (progress != null) {
            ByteBuffer row = ByteBuffer.wrap(progress);
            head = row.getLong();
            mark = row.getLong();
        }
        Map<Long, RoaringBitmap> acknowledged = new HashMap<>();
        log.scan(
                Table.ACKNOWLEDGED,
                Keys.of(id, 0),
                Keys.of(id + 1, 0),
                (key, row) -> {
                    acknowledged.put(Keys.number(key), set(key, row));
                    return true;
                });
        log.scan(
                Table.DELIVERIES,
                Keys.of(id, 0),
                Keys.of(id + 1, 0),
                (key, row) -> {
                    subscription.recoverCount(Keys.number(key), Keys.id(row));
                    return true;
                });
        long suspectBelow = allSuspect ? Math.max(mark, subscription.destination().next()) : mark;
        subscription.recover(suspectBelow);
        subscription.progress().recover(mark, acknowledged.keySet());
        if (allSuspect) {
            shard.journal().announce(subscription, suspectBelow);
        }
        return new Past(head, acknowledged);
    }

    private static RoaringBitmap set(byte[] key, byte[] row) {
        RoaringBitmap set = new RoaringBitmap();
        try {
            set.deserialize(ByteBuffer.wrap(row));
        } catch (IOException e) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "acknowledgements of subscription "
                            + Keys.id(key)
                            + ", chunk "
                            + Keys.number(key)
                            + ": "
                            + e.getMessage(),
                    e);
        }
        return set;
    }

    private void readMessages(StoredDestination destination) {
        List<Past> pasts = new ArrayList<>();
        for (StoredSubscription subscription : destination.subscriptions()) {
            pasts.add(readPast(subscription));
        }
        log.scan(
                Table.HEADERS,
                Keys.of(destination.id(), 0),
                Keys.of(destination.id() + 1, 0),
                (key, row) -> {
                    readMessage(destination, pasts, key, row);
                    return true;
                });
    }

    private void readMessage(
            StoredDestination destination, List<Past> pasts, byte[] key, byte[] row) {
        MessageRows.Head head;
        try {
            head = MessageRows.head(key, row);
        } catch (LogException e) {
            byte[] body = log.get(Table.BODIES, key);
            Damage damage = new Damage(Keys.number(key), String.valueOf(e.getMessage()), row, body);
            shard.intake().onDamageFound(destination, damage);
            return;
        }
        onMessage(destination, pasts, Keys.number(key), head);
    }

    private void onMessage(
            StoredDestination destination, List<Past> pasts, long sequence, MessageRows.Head head) {
        MessageHeaders headers = head.headers();
        destination.space().onStored(sequence);
        boolean wanted = false;
        for (int i = 0; i < pasts.size(); i++) {
            StoredSubscription subscription = destination.subscriptions().get(i);
            if (subscription.wants(headers) && !pasts.get(i).acknowledged(sequence)) {
                shard.intake().onRecovered(subscription, sequence, headers);
                wanted = true;
            }
        }
        if (wanted) {
            destination.priorities().add(sequence, headers.priority());
        }
        if (wanted && head.body() != null) {
            shard.bodies().add(destination, sequence, head.body());
        }
        if (wanted && headers.expiration() != 0) {
            shard.intake().onRecovered(destination, sequence, headers);
        }
    }
}
