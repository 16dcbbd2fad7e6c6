package winnow.loadgen.rate;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.Locale;

/// Destination of a load. Immutable.
///
/// @param kind what it is
/// @param name of the queue or topic
public record Target(Kind kind, String name) {

    /// Kind of a destination.
    public enum Kind {
        /// To each of the subscribers that are connected.
        TOPIC,
        /// To one of the subscribers, and kept until one has taken it.
        QUEUE,
        /// To one of the subscribers, who share a durable subscription of a topic.
        DURABLE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Destination in(Session session) throws JMSException {
        return kind == Kind.QUEUE ? session.createQueue(name) : session.createTopic(name);
    }

    MessageConsumer consumer(Session session) throws JMSException {
        return kind == Kind.DURABLE
                ? session.createSharedDurableConsumer(session.createTopic(name), name)
                : session.createConsumer(in(session));
    }

    /// Ends the durable subscription; what waits for it is gone. Its subscribers have to be closed.
    void remove(Connection connection) throws JMSException {
        try (var session = connection.createSession()) {
            session.unsubscribe(name);
        }
    }

    @Override
    public String toString() {
        return switch (kind) {
            case TOPIC -> "topic " + name;
            case QUEUE -> "queue " + name;
            case DURABLE -> "durable subscription " + name;
        };
    }
}
