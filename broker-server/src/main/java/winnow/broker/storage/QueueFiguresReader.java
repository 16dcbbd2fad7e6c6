package winnow.broker.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import winnow.broker.metrics.QueueFigures;
import winnow.broker.metrics.StorageFigures;
import winnow.broker.shard.Counts;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredSubscription;
import winnow.wire.DestinationKind;

/// Reads the figures of single queues and subscriptions from a shard, on its thread.
public final class QueueFiguresReader {
    private QueueFiguresReader() {}

    /// Queues or subscriptions that are wanted.
    ///
    /// @param names of queues or topics, empty for all
    /// @param limit so many queues or subscriptions at most
    public record Wish(Set<String> names, int limit) {
        public Wish {
            names = Set.copyOf(names);
        }

        private boolean fits(String name) {
            return names.isEmpty() || names.contains(name);
        }
    }

    /// Reads the figures of those for which most waits.
    ///
    /// @param topics whose subscriptions are wanted
    /// @param answer called on the shard's thread
    public static void read(Shard shard, Wish queues, Wish topics, Consumer<QueueFigures> answer) {
        List<StoredSubscription> ofQueues = largest(shard, DestinationKind.QUEUE, queues);
        List<StoredSubscription> ofTopics = largest(shard, DestinationKind.TOPIC, topics);
        List<StoredSubscription> all = new ArrayList<>(ofQueues);
        all.addAll(ofTopics);
        OldestMessages.read(
                shard,
                all,
                () ->
                        answer.accept(
                                new QueueFigures(
                                        ofQueues.stream().map(QueueFiguresReader::queue).toList(),
                                        ofTopics.stream()
                                                .map(QueueFiguresReader::subscription)
                                                .toList())));
    }

    private static List<StoredSubscription> largest(Shard shard, DestinationKind kind, Wish wish) {
        return shard.catalog().subscriptions().stream()
                .filter(one -> one.destination().kind() == kind)
                .filter(one -> wish.fits(one.destination().name()))
                .sorted(
                        Comparator.comparingLong(StoredSubscription::messages)
                                .reversed()
                                .thenComparing(one -> one.destination().name())
                                .thenComparingInt(StoredSubscription::id))
                .limit(wish.limit())
                .toList();
    }

    private static QueueFigures.Queue queue(StoredSubscription one) {
        return new QueueFigures.Queue(
                one.destination().name(),
                one.destination().paused(),
                waiting(one),
                flow(one.destination().counts()));
    }

    private static QueueFigures.Subscription subscription(StoredSubscription one) {
        return new QueueFigures.Subscription(
                one.destination().name(), one.name().display(), waiting(one));
    }

    private static QueueFigures.Waiting waiting(StoredSubscription one) {
        return new QueueFigures.Waiting(
                one.messages(),
                one.bytes(),
                one.unacknowledged(),
                one.consumers(),
                one.waitingSince(System.currentTimeMillis()).orElse(0));
    }

    static StorageFigures.Flow flow(Counts counts) {
        return new StorageFigures.Flow(
                counts.appended(),
                counts.appendedBytes(),
                counts.delivered(),
                counts.redelivered(),
                counts.acknowledged(),
                counts.failed(),
                counts.expired(),
                counts.buried(),
                counts.overflowed(),
                counts.refused(),
                counts.purged(),
                counts.moved(),
                counts.deadLost());
    }
}
