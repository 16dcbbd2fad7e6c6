package winnow.broker.metrics;

import java.util.List;

/// Figures of what waits in single queues and stored subscriptions.
public record QueueFigures(List<Queue> queues, List<Subscription> subscriptions) {
    public QueueFigures {
        queues = List.copyOf(queues);
        subscriptions = List.copyOf(subscriptions);
    }

    /// @param messages that are not acknowledged
    /// @param bytes of these
    /// @param unacknowledged those that consumers have
    /// @param sinceMillis since when the oldest waits; 0 if none does, or that is not known
    public record Waiting(
            long messages, long bytes, int unacknowledged, int consumers, long sinceMillis) {}

    /// @param paused whether its consumers get nothing
    /// @param flow since the queue was made, or the broker was started
    public record Queue(String name, boolean paused, Waiting waiting, StorageFigures.Flow flow) {}

    /// @param name with the client identifier and a dot before it, if it belongs to a client
    public record Subscription(String topic, String name, Waiting waiting) {}
}
