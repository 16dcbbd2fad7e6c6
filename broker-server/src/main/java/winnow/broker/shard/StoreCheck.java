package winnow.broker.shard;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.wire.DestinationKind;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// Reads the whole log of a shard that does not run, and tells what is in it. Changes nothing. Rows
/// that no subscription needs any more are counted and may be what they like: deleting them may
/// have been half done. Used by one thread.
public final class StoreCheck {
    private final ShardLog log;
    private final StoreFindings findings;
    private final Map<Integer, StoredDestination> destinations = new LinkedHashMap<>();
    private final Map<Integer, StoredSubscription> subscriptions = new LinkedHashMap<>();
    private final Map<Integer, SubscriptionPast> pasts = new LinkedHashMap<>();
    private int names;

    /// Is told how far reading is.
    @FunctionalInterface
    public interface Progress {
        /// @param table that is being read
        /// @param rows that have been read, of all tables
        void onRows(Table table, long rows);
    }

    /// Takes a row. Whatever it throws of the kinds that are named in [#read] is damage.
    @FunctionalInterface
    private interface RowReader {
        void read(byte[] key, byte[] row) throws IOException;
    }

    private StoreCheck(ShardLog log, Progress progress) {
        this.log = log;
        findings = new StoreFindings(progress);
    }

    /// Reads every row, and compares each message with its checksum.
    public static StoreReport verify(ShardLog log, Progress progress) {
        return new StoreCheck(log, progress).run(true);
    }

    /// Counts without reading bodies.
    public static StoreReport count(ShardLog log, Progress progress) {
        return new StoreCheck(log, progress).run(false);
    }

    private StoreReport run(boolean bodies) {
        MessageCheck messages = new MessageCheck(log, findings);
        for (Table table : Table.values()) {
            switch (table) {
                case META, DUPLICATES -> scan(table, (_, _) -> {});
                case NAMES -> scan(table, (key, _) -> readName(key));
                case DESTINATIONS -> scan(table, this::readDestination);
                case SUBSCRIPTIONS -> scan(table, this::readSubscription);
                case PROGRESS -> scan(table, (key, row) -> past(key).readProgress(row));
                case ACKNOWLEDGED -> scan(table, (key, row) -> past(key).readChunk(key, row));
                case DELIVERIES -> scan(table, (key, row) -> readDeliveries(key, row));
                case INSTANCES -> scan(table, Instances::check);
                case PREPARED -> scan(table, PreparedTransaction::read);
                case QUARANTINED -> scan(table, this::readQuarantined);
                // These need the others.
                case HEADERS, BODIES, PARTS -> {}
            }
        }
        subscriptions.forEach((id, subscription) -> messages.add(subscription, past(Keys.of(id))));
        messages.run(bodies);
        return report(messages);
    }

    private void scan(Table table, RowReader reader) {
        findings.onTable(table);
        try {
            log.scan(
                    table,
                    Keys.FIRST,
                    Keys.END,
                    (key, row) -> {
                        findings.onRow(table, key, row);
                        read(table, key, row, reader);
                        return true;
                    });
        } catch (LogException e) {
            findings.onDamage("table " + table + " cannot be read further: " + e.getMessage());
        }
    }

    private void read(Table table, byte[] key, byte[] row, RowReader reader) {
        try {
            reader.read(key, row);
        } catch (LogException
                | WireException
                | IOException
                | BufferUnderflowException
                | IndexOutOfBoundsException e) {
            findings.onDamage("table " + table + ": " + e.getMessage());
        }
    }

    private SubscriptionPast past(byte[] key) {
        return pasts.computeIfAbsent(Keys.id(key), _ -> new SubscriptionPast());
    }

    private void readName(byte[] key) {
        names++;
        if (Keys.id(key) != names) {
            findings.onDamage(
                    "names of properties: expected number " + names + ", found " + Keys.id(key));
            names = Keys.id(key);
        }
    }

    private void readDestination(byte[] key, byte[] row) {
        StoredDestination destination = ShardRows.destination(key, row);
        destinations.put(destination.id(), destination);
    }

    private void readSubscription(byte[] key, byte[] row) {
        StoredSubscription subscription = ShardRows.subscription(key, row, destinations);
        subscriptions.put(subscription.id(), subscription);
    }

    private static void readDeliveries(byte[] key, byte[] row) {
        Keys.number(key);
        Keys.id(row);
    }

    private void readQuarantined(byte[] key, byte[] row) {
        byte[] reason = new WireReader().wrap(row, 0, row.length).readBytes();
        StoredDestination destination = destinations.get(Keys.id(key));
        findings.onQuarantine(
                (destination == null ? "" : display(destination) + ": ")
                        + new String(reason, StandardCharsets.UTF_8));
    }

    /// For people, such as `queue 'orders'`.
    static String display(StoredDestination destination) {
        String kind = destination.kind() == DestinationKind.QUEUE ? "queue" : "topic";
        return kind + " '" + destination.name() + "'";
    }

    private StoreReport report(MessageCheck messages) {
        List<StoreReport.Destination> found = new ArrayList<>();
        for (StoredDestination destination : destinations.values()) {
            MessageCheck.Sum sum = messages.sum(destination.id());
            found.add(
                    new StoreReport.Destination(
                            destination.kind(), destination.name(), sum.messages, sum.bytes));
        }
        List<StoreReport.Subscription> durable = new ArrayList<>();
        for (StoredSubscription subscription : subscriptions.values()) {
            if (subscription.destination().kind() == DestinationKind.TOPIC) {
                MessageCheck.Sum sum = messages.sum(subscription.id());
                durable.add(
                        new StoreReport.Subscription(
                                subscription.destination().name(),
                                subscription.name().display(),
                                sum.messages,
                                sum.bytes));
            }
        }
        return findings.report(found, durable);
    }
}
