package winnow.broker.metrics;

import static winnow.broker.metrics.Metric.counter;
import static winnow.broker.metrics.Metric.gauge;

import java.util.List;
import winnow.broker.metrics.Metric.Kind;

/// The metrics of `/metrics` about queues, durable and shared subscriptions, and where their
/// messages are kept. Totals: none has the name of a queue.
final class StorageMetrics {
    static final Metric QUEUES = gauge("winnow_queues", "Queues that exist.", "");
    static final Metric PAUSED =
            gauge(
                    "winnow_queues_paused",
                    "Queues that are paused: their consumers get nothing.",
                    "when nobody remembers why it is not 0.");
    static final Metric SUBSCRIPTIONS =
            gauge("winnow_stored_subscriptions", "Durable and shared subscriptions.", "");
    static final Metric CONSUMERS =
            gauge(
                    "winnow_stored_consumers",
                    "Consumers of queues and of durable and shared subscriptions.",
                    "");
    static final Metric MESSAGES =
            gauge(
                    "winnow_stored_messages",
                    "Messages that are not acknowledged, once for each subscription; this and the"
                            + " following are at most about a second old.",
                    "when it grows steadily: consumers are slower than producers.");
    static final Metric BYTES =
            gauge("winnow_stored_bytes", "Bytes of these messages.", "near the space on the disk.");
    static final Metric UNACKNOWLEDGED =
            gauge(
                    "winnow_stored_messages_unacknowledged",
                    "Those of these messages that consumers have.",
                    "when it stays high while nothing is acknowledged: consumers hang.");
    static final Metric UNATTENDED =
            gauge(
                    "winnow_stored_messages_unattended",
                    "Those of these messages that are in queues and subscriptions without a"
                            + " consumer; dead letters do not count.",
                    "when it grows: a consumer is missing, or a durable subscription is not used"
                            + " any more.");
    static final Metric OLDEST_AGE =
            gauge(
                    "winnow_stored_oldest_age_seconds",
                    "How long the oldest of these messages has waited since it was sent, or since"
                            + " its delivery time, by the clock of its sender; dead letters do not"
                            + " count. 0 if none waits. It is told after a restart, too.",
                    "when it exceeds what you accept: winnow top and /metrics/detailed name the"
                            + " queue or subscription.");
    static final Metric DEAD_LETTERS =
            gauge(
                    "winnow_dead_letters",
                    "Messages in the dead-letter queue.",
                    "when it grows: see their JMS_WINNOW_DeadReason by winnow queue browse.");

    static final Metric APPENDED =
            counter(
                    "winnow_stored_messages_appended",
                    "Messages that came to queues and to stored subscriptions.",
                    "");
    static final Metric APPENDED_BYTES =
            counter("winnow_stored_appended_bytes", "Bytes of these messages.", "");
    static final Metric DELIVERED =
            counter(
                    "winnow_stored_messages_delivered",
                    "Messages that went to consumers, each time that they did.",
                    "when it stands still while messages and consumers are there.");
    static final Metric REDELIVERED =
            counter(
                    "winnow_stored_messages_redelivered",
                    "Those of these that were marked as delivered before.",
                    "when it grows as fast as winnow_stored_messages_delivered_total.");
    static final Metric ACKNOWLEDGED =
            counter(
                    "winnow_stored_messages_acknowledged",
                    "Messages that were acknowledged, once for each subscription.",
                    "");
    static final Metric FAILED =
            counter(
                    "winnow_stored_deliveries_failed",
                    "Attempts to process a message that failed: rollbacks, recovers, exceptions of"
                            + " listeners, sessions that ended without an acknowledgement.",
                    "when it grows: a consumer cannot process what it gets.");
    static final Metric EXPIRED =
            counter(
                    "winnow_stored_messages_expired",
                    "Messages that expired, once for each subscription.",
                    "when it grows and no message should be lost.");
    static final Metric BURIED =
            counter(
                    "winnow_stored_messages_buried",
                    "Messages that went to the dead-letter queue.",
                    "at any growth.");
    static final Metric OVERFLOWED =
            counter(
                    "winnow_stored_messages_overflowed",
                    "Oldest messages that went because there were too many (queue.overflow).",
                    "when it grows and no message should be lost.");
    static final Metric REFUSED =
            counter(
                    "winnow_stored_messages_refused",
                    "Messages and transactions that were refused because there were too many"
                            + " (queue.max-messages, queue.max-bytes). One that the full"
                            + " dead-letter queue refuses waits in its queue.",
                    "at any growth: producers get exceptions.");
    static final Metric PURGED =
            counter("winnow_stored_messages_purged", "Messages that operators removed.", "");
    static final Metric MOVED =
            counter(
                    "winnow_stored_messages_moved",
                    "Messages that operators moved to another queue.",
                    "");
    static final Metric DEAD_LOST =
            counter(
                    "winnow_dead_letters_lost",
                    "Dead letters that went from the dead-letter queue because its policy drops"
                            + " the oldest, or because they expired.",
                    "at any growth: nobody will look at them.");

    static final Metric ENTRIES =
            counter(
                    "winnow_storage_entries",
                    "Batches of changes that were written to the log.",
                    "");
    static final Metric ENTRY_BYTES =
            counter("winnow_storage_entry_bytes", "Bytes of these batches.", "");
    static final Metric COMMIT =
            Metric.of(
                    Kind.SUMMARY,
                    "winnow_storage_commit_seconds",
                    "Time until such a batch was on the disk, of those that somebody waited for."
                            + " Sum by count is the mean. Appended messages by count is how many"
                            + " share one.",
                    "when the mean exceeds what your producers accept: the disk is slow.");
    static final Metric STALLED =
            gauge(
                    "winnow_storage_stalled_seconds",
                    "Time for which the log has written nothing though something waits, else 0."
                            + " /health/ready fails when it exceeds http.stall-timeout.",
                    "above a second: a write or sync of the disk hangs.");
    static final Metric QUARANTINED =
            counter(
                    "winnow_storage_messages_quarantined",
                    "Messages that were damaged on the disk and were put aside; the log names"
                            + " them.",
                    "at any value above 0.");
    static final Metric WINDOW_BYTES =
            gauge(
                    "winnow_storage_window_bytes",
                    "Memory of stored messages that need not be read from the disk.",
                    "");
    static final Metric WINDOW_LIMIT_BYTES =
            gauge(
                    "winnow_storage_window_limit_bytes",
                    "Upper limit of winnow_storage_window_bytes (storage.window).",
                    "");
    static final Metric DISK_FREE =
            gauge(
                    "winnow_storage_disk_free_bytes",
                    "What is free on the disk of the store, without what the write-ahead log will"
                            + " take of it in data files; 0 without --data.",
                    "below twice winnow_storage_disk_reserve_bytes.");
    static final Metric DISK_RESERVE =
            gauge(
                    "winnow_storage_disk_reserve_bytes",
                    "What is kept free of it for consumers (storage.disk-reserve): with less free"
                            + " no more messages are stored.",
                    "");
    static final Metric DISK_LOW =
            gauge(
                    "winnow_storage_disk_low",
                    "1 while messages to store are refused because too little of the disk is free,"
                            + " else 0. Consumers go on.",
                    "at 1: producers get exceptions until a quarter more than the reserve is"
                            + " free.");
    static final Metric STORAGE_FAILED =
            gauge(
                    "winnow_storage_failed",
                    "1 while the log takes no more messages, because the disk is full or has"
                            + " failed, else 0. /health/ready says why.",
                    "at 1.");

    static final List<Metric> ALL =
            List.of(
                    QUEUES,
                    PAUSED,
                    SUBSCRIPTIONS,
                    CONSUMERS,
                    MESSAGES,
                    BYTES,
                    UNACKNOWLEDGED,
                    UNATTENDED,
                    OLDEST_AGE,
                    DEAD_LETTERS,
                    APPENDED,
                    APPENDED_BYTES,
                    DELIVERED,
                    REDELIVERED,
                    ACKNOWLEDGED,
                    FAILED,
                    EXPIRED,
                    BURIED,
                    OVERFLOWED,
                    REFUSED,
                    PURGED,
                    MOVED,
                    DEAD_LOST,
                    ENTRIES,
                    ENTRY_BYTES,
                    COMMIT,
                    STALLED,
                    QUARANTINED,
                    WINDOW_BYTES,
                    WINDOW_LIMIT_BYTES,
                    DISK_FREE,
                    DISK_RESERVE,
                    DISK_LOW,
                    STORAGE_FAILED);

    private StorageMetrics() {}

    static void addTo(Exposition page, StorageFigures figures) {
        StorageFigures.Content content = figures.content();
        page.value(QUEUES, content.queues());
        page.value(PAUSED, content.paused());
        page.value(SUBSCRIPTIONS, content.subscriptions());
        page.value(CONSUMERS, content.consumers());
        page.value(MESSAGES, content.messages());
        page.value(BYTES, content.bytes());
        page.value(UNACKNOWLEDGED, content.unacknowledged());
        page.value(UNATTENDED, content.unattended());
        page.value(OLDEST_AGE, content.oldestAgeMillis(System.currentTimeMillis()) / 1000.0);
        page.value(DEAD_LETTERS, content.deadLetters());
        add(page, figures.flow());
        add(page, figures.log());
        page.value(DISK_FREE, figures.disk().freeBytes());
        page.value(DISK_RESERVE, figures.disk().reserveBytes());
        page.value(DISK_LOW, figures.disk().low() ? 1 : 0);
        page.value(STORAGE_FAILED, figures.failure().isEmpty() ? 0 : 1);
    }

    private static void add(Exposition page, StorageFigures.Flow flow) {
        page.value(APPENDED, flow.appended());
        page.value(APPENDED_BYTES, flow.appendedBytes());
        page.value(DELIVERED, flow.delivered());
        page.value(REDELIVERED, flow.redelivered());
        page.value(ACKNOWLEDGED, flow.acknowledged());
        page.value(FAILED, flow.failed());
        page.value(EXPIRED, flow.expired());
        page.value(BURIED, flow.buried());
        page.value(OVERFLOWED, flow.overflowed());
        page.value(REFUSED, flow.refused());
        page.value(PURGED, flow.purged());
        page.value(MOVED, flow.moved());
        page.value(DEAD_LOST, flow.deadLost());
    }

    private static void add(Exposition page, StorageFigures.Log log) {
        page.value(ENTRIES, log.entries());
        page.value(ENTRY_BYTES, log.entryBytes());
        page.summary(COMMIT, log.commits(), log.commitNanos() / BrokerMetrics.NANOS_PER_SECOND);
        page.value(STALLED, log.stalledNanos() / BrokerMetrics.NANOS_PER_SECOND);
        page.value(QUARANTINED, log.quarantined());
        page.value(WINDOW_BYTES, log.windowBytes());
        page.value(WINDOW_LIMIT_BYTES, log.windowLimitBytes());
    }
}
