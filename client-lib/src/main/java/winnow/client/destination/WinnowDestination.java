package winnow.client.destination;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// A named place that messages are sent to. Immutable.
public abstract sealed class WinnowDestination implements Destination, Serializable, Referenceable
        permits WinnowTopic, WinnowQueue {
    private static final long serialVersionUID = 1L;

    private final String name;

    WinnowDestination(String name) {
        this.name = name;
    }

    /// The name that the broker knows, without any filter.
    public final String name() {
        return name;
    }

    /// Kind of this destination: a topic or a queue.
    public abstract DestinationKind kind();

    /// Form in which a directory keeps it.
    @Override
    public final Reference getReference() {
        return new Reference(
                getClass().getName(),
                new StringRefAddr("name", toString()),
                "winnow.client.jndi.WinnowObjectFactory",
                null);
    }

    /// The destination of that kind and name, without a filter. That it is temporary can be told
    /// from its name; it cannot be deleted by what this returns.
    public static WinnowDestination of(DestinationKind kind, String name) {
        boolean temporary = name.startsWith(Protocol.TEMPORARY_PREFIX);
        if (kind == DestinationKind.TOPIC) {
            return temporary ? new WinnowTemporaryTopic(name, null) : new WinnowTopic(name, "");
        }
        return temporary ? new WinnowTemporaryQueue(name, null) : new WinnowQueue(name);
    }

    /// Takes over a destination, also one of another provider, by its name.
    ///
    /// @throws InvalidDestinationException if it is null, of neither kind, or its name is unusable
    public static WinnowDestination adopt(@Nullable Destination destination) throws JMSException {
        if (destination instanceof WinnowDestination own) {
            return own;
        }
        if (destination instanceof Topic topic) {
            return WinnowTopic.parse(topic.getTopicName());
        }
        if (destination instanceof Queue queue) {
            return WinnowQueue.parse(queue.getQueueName());
        }
        throw new InvalidDestinationException(
                "expected a topic or a queue, found "
                        + (destination == null ? "null" : destination.getClass().getName()));
    }

    static String requireName(@Nullable String name) throws InvalidDestinationException {
        if (name == null || name.isBlank()) {
            throw new InvalidDestinationException(
                    "expected the name of a destination, found "
                            + (name == null ? "null" : "'" + name + "'"));
        }
        return name;
    }
}
