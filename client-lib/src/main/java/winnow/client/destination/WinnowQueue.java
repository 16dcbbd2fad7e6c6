package winnow.client.destination;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;

/// A queue's name. This version can name queues, for example in JMSReplyTo, but not use them.
public final class WinnowQueue extends WinnowDestination implements Queue {
    private static final long serialVersionUID = 1L;

    WinnowQueue(String name) {
        super(name);
    }

    /// The queue of that name.
    ///
    /// @throws InvalidDestinationException if the name is null or blank
    public static WinnowQueue parse(@Nullable String name) throws InvalidDestinationException {
        return new WinnowQueue(requireName(name));
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.QUEUE;
    }

    @Override
    public String getQueueName() {
        return name();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WinnowQueue queue && queue.name().equals(name());
    }

    @Override
    public int hashCode() {
        return name().hashCode();
    }

    @Override
    public String toString() {
        return name();
    }
}
