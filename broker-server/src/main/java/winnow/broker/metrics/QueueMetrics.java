package winnow.broker.metrics;

import static winnow.broker.metrics.Metric.counter;
import static winnow.broker.metrics.Metric.gauge;

import java.util.List;

/// The metrics of `/metrics/detailed` about single queues and stored subscriptions, which they
/// name.
final class QueueMetrics {
    private static final String QUEUE = "queue";
    private static final String TOPIC = "topic";
    private static final String SUBSCRIPTION = "subscription";

    static final Metric MESSAGES =
            gauge(
                    "winnow_queue_messages",
                    "Messages of the queue that are not acknowledged.",
                    "when it grows steadily: its consumers are slower than its producers.",
                    QUEUE);
    static final Metric BYTES = gauge("winnow_queue_bytes", "Bytes of these messages.", "", QUEUE);
    static final Metric UNACKNOWLEDGED =
            gauge(
                    "winnow_queue_messages_unacknowledged",
                    "Those of these messages that consumers have.",
                    "when it stays while nothing is acknowledged.",
                    QUEUE);
    static final Metric CONSUMERS =
            gauge(
                    "winnow_queue_consumers",
                    "Consumers of the queue.",
                    "at 0 while messages wait.",
                    QUEUE);
    static final Metric PAUSED =
            gauge(
                    "winnow_queue_paused",
                    "1 while the queue is paused: its consumers get nothing.",
                    "when nobody remembers why it is 1.",
                    QUEUE);
    static final Metric OLDEST_AGE =
            gauge(
                    "winnow_queue_oldest_age_seconds",
                    "How long the oldest of these messages has waited since it was sent, or since"
                            + " its delivery time; by the clock of its sender. 0 if none waits.",
                    "when it exceeds what you accept.",
                    QUEUE);
    static final Metric APPENDED =
            counter("winnow_queue_messages_appended", "Messages that came.", "", QUEUE);
    static final Metric ACKNOWLEDGED =
            counter(
                    "winnow_queue_messages_acknowledged",
                    "Messages that were acknowledged.",
                    "when it stands still while messages wait.",
                    QUEUE);
    static final Metric REDELIVERED =
            counter(
                    "winnow_queue_messages_redelivered",
                    "Messages that were delivered again.",
                    "when it grows.",
                    QUEUE);
    static final Metric BURIED =
            counter(
                    "winnow_queue_messages_buried",
                    "Messages that went to the dead-letter queue.",
                    "at any growth.",
                    QUEUE);
    static final Metric LOST =
            counter(
                    "winnow_queue_messages_lost",
                    "Messages that expired, or went because there were too many.",
                    "when it grows and no message should be lost.",
                    QUEUE);
    static final Metric SUBSCRIPTION_MESSAGES =
            gauge(
                    "winnow_stored_subscription_messages",
                    "Messages of the durable or shared subscription that are not acknowledged.",
                    "when it grows steadily.",
                    TOPIC,
                    SUBSCRIPTION);
    static final Metric SUBSCRIPTION_BYTES =
            gauge(
                    "winnow_stored_subscription_bytes",
                    "Bytes of these messages.",
                    "",
                    TOPIC,
                    SUBSCRIPTION);
    static final Metric SUBSCRIPTION_CONSUMERS =
            gauge(
                    "winnow_stored_subscription_consumers",
                    "Consumers of the subscription.",
                    "at 0 for long: nobody uses it, and its messages are kept.",
                    TOPIC,
                    SUBSCRIPTION);
    static final Metric SUBSCRIPTION_OLDEST_AGE =
            gauge(
                    "winnow_stored_subscription_oldest_age_seconds",
                    "The same as winnow_queue_oldest_age_seconds for the subscription.",
                    "when it exceeds what you accept.",
                    TOPIC,
                    SUBSCRIPTION);

    static final List<Metric> ALL =
            List.of(
                    MESSAGES,
                    BYTES,
                    UNACKNOWLEDGED,
                    CONSUMERS,
                    PAUSED,
                    OLDEST_AGE,
                    APPENDED,
                    ACKNOWLEDGED,
                    REDELIVERED,
                    BURIED,
                    LOST,
                    SUBSCRIPTION_MESSAGES,
                    SUBSCRIPTION_BYTES,
                    SUBSCRIPTION_CONSUMERS,
                    SUBSCRIPTION_OLDEST_AGE);

    private QueueMetrics() {}

    static void addTo(Exposition page, QueueFigures figures) {
        long now = System.currentTimeMillis();
        for (QueueFigures.Queue queue : figures.queues()) {
            QueueFigures.Waiting waiting = queue.waiting();
            StorageFigures.Flow flow = queue.flow();
            page.value(MESSAGES, waiting.messages(), queue.name());
            page.value(BYTES, waiting.bytes(), queue.name());
            page.value(UNACKNOWLEDGED, waiting.unacknowledged(), queue.name());
            page.value(CONSUMERS, waiting.consumers(), queue.name());
            page.value(PAUSED, queue.paused() ? 1 : 0, queue.name());
            page.value(OLDEST_AGE, seconds(waiting, now), queue.name());
            page.value(APPENDED, flow.appended(), queue.name());
            page.value(ACKNOWLEDGED, flow.acknowledged(), queue.name());
            page.value(REDELIVERED, flow.redelivered(), queue.name());
            page.value(BURIED, flow.buried(), queue.name());
            page.value(LOST, flow.expired() + flow.overflowed(), queue.name());
        }
        for (QueueFigures.Subscription one : figures.subscriptions()) {
            QueueFigures.Waiting waiting = one.waiting();
            page.value(SUBSCRIPTION_MESSAGES, waiting.messages(), one.topic(), one.name());
            page.value(SUBSCRIPTION_BYTES, waiting.bytes(), one.topic(), one.name());
            page.value(SUBSCRIPTION_CONSUMERS, waiting.consumers(), one.topic(), one.name());
            page.value(SUBSCRIPTION_OLDEST_AGE, seconds(waiting, now), one.topic(), one.name());
        }
    }

    private static double seconds(QueueFigures.Waiting waiting, long nowMillis) {
        return StorageFigures.age(waiting.sinceMillis(), nowMillis) / 1000.0;
    }
}
