package winnow.client.acknowledge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import winnow.client.message.WinnowMessage;
import winnow.wire.DeliveryRanges;

/// The stored deliveries of one session that the application has received and that are not
/// acknowledged, by their ids. The broker keeps the messages. Thread-safe.
public final class DeliveryLedger {
    private final Map<Long, Delivered> entries = new LinkedHashMap<>();
    private long bytes;

    /// The application receives a message.
    synchronized void add(PrefetchConsumer consumer, WinnowMessage message) {
        entries.put(message.deliveryId(), new Delivered(consumer, message.frameBytes()));
        bytes += message.frameBytes();
        consumer.window().onUnsettled(entries.size(), bytes);
    }

    /// Forgets a delivery.
    ///
    /// @return whether it was here
    synchronized boolean remove(long delivery) {
        Delivered removed = entries.remove(delivery);
        bytes -= removed == null ? 0 : removed.bytes;
        return removed != null;
    }

    /// Forgets deliveries.
    synchronized void removeAll(DeliveryRanges deliveries) {
        entries.entrySet()
                .removeIf(entry -> {
                    boolean leaves = deliveries.contains(entry.getKey());
                    bytes -= leaves ? entry.getValue().bytes : 0;
                    return leaves;
                });
    }

    /// The deliveries of these that are here.
    synchronized List<Delivered> find(DeliveryRanges deliveries) {
        return entries.entrySet().stream()
                .filter(entry -> deliveries.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /// Forgets all deliveries.
    synchronized void clear() {
        entries.clear();
        bytes = 0;
    }

    public synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /// The ids of deliveries.
    public synchronized long[] ids(Predicate<Delivered> which) {
        return entries.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .mapToLong(Map.Entry::getKey)
                .toArray();
    }

    /// All deliveries that are here.
    public DeliveryRanges all() {
        return those(delivered -> true);
    }

    /// The deliveries of one consumer.
    DeliveryRanges of(PrefetchConsumer consumer) {
        return those(delivered -> delivered.consumer.equals(consumer));
    }

    private DeliveryRanges those(Predicate<Delivered> which) {
        return DeliveryRanges.of(ids(which));
    }

    /// One delivery.
    ///
    /// @param bytes what it cost of the consumer's credit
    public record Delivered(PrefetchConsumer consumer, int bytes) {}
}
