package winnow.broker.shard;

import java.util.Map;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.DestinationKind;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The rows of destinations and subscriptions.
final class ShardRows {
    private static final int TEMPORARY = 1;
    private static final int PAUSED = 2;

    private ShardRows() {}

    static void put(Batch batch, StoredDestination destination) {
        WireWriter out = new WireWriter(64);
        out.writeByte(destination.kind().number());
        out.writeByte(
                (destination.temporary() ? TEMPORARY : 0) | (destination.paused() ? PAUSED : 0));
        out.writeVarlong(destination.reserved);
        out.writeString(destination.name());
        put(batch, Table.DESTINATIONS, destination.id(), out);
    }

    static StoredDestination destination(byte[] key, byte[] row) {
        WireReader in = new WireReader().wrap(row, 0, row.length);
        DestinationKind kind = DestinationKind.read(in);
        int flags = in.readUnsignedByte();
        boolean temporary = (flags & TEMPORARY) != 0;
        long reserved = in.readVarlong();
        StoredDestination read =
                new StoredDestination(Keys.id(key), kind, in.readString(), temporary, reserved);
        read.setPaused((flags & PAUSED) != 0);
        return read;
    }

    static void put(Batch batch, StoredSubscription subscription) {
        WireWriter out = new WireWriter(64);
        out.writeVarint(subscription.destination().id());
        subscription.name().write(out);
        put(batch, Table.SUBSCRIPTIONS, subscription.id(), out);
    }

    static StoredSubscription subscription(
            byte[] key, byte[] row, Map<Integer, StoredDestination> destinations) {
        WireReader in = new WireReader().wrap(row, 0, row.length);
        int destination = in.readVarint();
        StoredDestination found = destinations.get(destination);
        if (found == null) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "subscription " + Keys.id(key) + ": there is no destination " + destination);
        }
        return new StoredSubscription(Keys.id(key), found, SubscriptionName.read(in));
    }

    private static void put(Batch batch, Table table, int id, WireWriter out) {
        batch.put(table, Keys.of(id), out.array(), 0, out.size());
    }

    /// Deletes a destination, and the rows of all its messages.
    static void delete(Batch batch, StoredDestination destination) {
        int id = destination.id();
        batch.delete(Table.DESTINATIONS, Keys.of(id));
        destination.space().deleteAll(batch);
    }

    /// Deletes everything of a subscription.
    static void delete(Batch batch, StoredSubscription subscription) {
        int id = subscription.id();
        batch.delete(Table.SUBSCRIPTIONS, Keys.of(id));
        batch.delete(Table.PROGRESS, Keys.of(id));
        batch.deleteRange(Table.ACKNOWLEDGED, Keys.of(id, 0), Keys.of(id + 1, 0));
        batch.deleteRange(Table.DELIVERIES, Keys.of(id, 0), Keys.of(id + 1, 0));
    }
}
