package winnow.broker.admin;

import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.Counts;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;

/// Queues and stored subscriptions for people. They are read on the shard's thread.
final class StoredInfo {
    private StoredInfo() {}

    /// A queue.
    ///
    /// @param temporary whether it ends with the connection that made it
    /// @param paused whether its consumers get nothing until it is resumed
    /// @param backlog what it has
    /// @param counts since the broker started, or since the queue was made
    record Queue(
            String name, boolean temporary, boolean paused, Backlog backlog, MessageCounts counts) {
        static Queue of(StoredDestination queue) {
            return new Queue(
                    queue.name(),
                    queue.temporary(),
                    queue.paused(),
                    Backlog.of(queue.queue()),
                    MessageCounts.of(queue.counts()));
        }
    }

    /// A durable or shared subscription.
    ///
    /// @param id its number, never given again
    /// @param clientId empty for a shared one without
    /// @param noLocal whether messages of its own connection stay away
    record Subscription(
            int id,
            String topic,
            String name,
            String clientId,
            boolean durable,
            boolean shared,
            boolean noLocal,
            String selector,
            String correlationIdFilter,
            Backlog backlog) {
        static Subscription of(StoredSubscription one) {
            return new Subscription(
                    one.id(),
                    one.destination().name(),
                    one.name().subscription(),
                    one.name().clientId(),
                    one.durable(),
                    one.name().shared(),
                    one.name().noLocal(),
                    one.name().selector(),
                    one.name().correlationFilter(),
                    Backlog.of(one));
        }

        int characters() {
            return selector.length() + correlationIdFilter.length() + name.length();
        }
    }

    /// Backlog of a queue or stored subscription.
    ///
    /// @param messages that are not acknowledged
    /// @param bytes of these
    /// @param available messages that wait for a consumer
    /// @param unacknowledged messages that consumers have
    /// @param oldest when the oldest was sent, null if there is none or that is not known
    record Backlog(
            long messages,
            long bytes,
            int available,
            int unacknowledged,
            int consumers,
            @Nullable String oldest) {
        static Backlog of(StoredSubscription one) {
            OptionalLong oldest = one.oldestTimestamp();
            return new Backlog(
                    one.messages(),
                    one.bytes(),
                    one.availableMessages(),
                    one.unacknowledged(),
                    one.consumers(),
                    oldest.isPresent()
                            ? Instant.ofEpochMilli(oldest.getAsLong()).toString()
                            : null);
        }
    }

    /// Counts of what has happened to the messages; the names are those of [Counts]. Damaged ones
    /// were put aside: `winnow store verify` lists them.
    record MessageCounts(
            long appended,
            long appendedBytes,
            long delivered,
            long redelivered,
            long acknowledged,
            long failed,
            long expired,
            long buried,
            long overflowed,
            long refused,
            long purged,
            long moved,
            long damaged) {
        static MessageCounts of(Counts counts) {
            return new MessageCounts(
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
                    counts.damaged());
        }
    }
}
