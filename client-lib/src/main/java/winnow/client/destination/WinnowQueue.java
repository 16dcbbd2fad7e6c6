package winnow.client.destination;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;

/// A queue. Two queues are equal if their names are.
public sealed class WinnowQueue extends WinnowDestination implements Queue
        permits WinnowTemporaryQueue {
    private static final long serialVersionUID = 1L;

    WinnowQueue(String name) {
        super(name);
    }

    /// The queue of that name.
    ///
    /// @throws InvalidDestinationException if the name is null or blank, or has options
    public static WinnowQueue parse(@Nullable String name) throws InvalidDestinationException {
        String whole = requireName(name);
        int mark = whole.indexOf('?');
        if (mark >= 0) {
            throw new InvalidDestinationException(
                    "queue '%s': expected a name without options, found '?' at index %d;"
                                    .formatted(whole, mark)
                            + " ?%s= is for topics only"
                                    .formatted(WinnowTopic.CORRELATION_ID_OPTION));
        }
        return new WinnowQueue(whole);
    }

    @Override
    public final DestinationKind kind() {
        return DestinationKind.QUEUE;
    }

    @Override
    public final String getQueueName() {
        return name();
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof WinnowQueue queue && queue.name().equals(name());
    }

    @Override
    public final int hashCode() {
        return name().hashCode();
    }

    @Override
    public final String toString() {
        return name();
    }
}
