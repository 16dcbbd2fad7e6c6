package winnow.loadgen.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Source from which `winnow sub` receives. The text form is for people. Immutable.
sealed interface ReceiveSource {

    /// A consumer of it.
    ///
    /// @param selector empty for none
    MessageConsumer consumer(Session session, String selector) throws JMSException;

    /// True if the broker keeps a message until it is acknowledged.
    boolean keepsMessages();

    /// Waits in a queue, whoever sent it and when.
    record OfQueue(String name) implements ReceiveSource {
        @Override
        public MessageConsumer consumer(Session session, String selector) throws JMSException {
            return Provider.consumer(session, session.createQueue(name), selector);
        }

        @Override
        public boolean keepsMessages() {
            return true;
        }

        @Override
        public String toString() {
            return "the queue " + name;
        }
    }

    /// Published to a topic while there is a consumer.
    ///
    /// @param filter of correlation IDs, null for none
    record OfTopic(String name, @Nullable String filter) implements ReceiveSource {
        @Override
        public MessageConsumer consumer(Session session, String selector) throws JMSException {
            return Provider.consumer(session, topic(session), selector);
        }

        private Topic topic(Session session) throws JMSException {
            return session.createTopic(filter == null ? name : name + "?correlationId=" + filter);
        }

        @Override
        public boolean keepsMessages() {
            return false;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// Kept for a durable subscription, which all who give its name share.
    record OfSubscription(OfTopic topic, String name) implements ReceiveSource {
        @Override
        public MessageConsumer consumer(Session session, String selector) throws JMSException {
            return session.createSharedDurableConsumer(topic.topic(session), name, selector);
        }

        @Override
        public boolean keepsMessages() {
            return true;
        }

        @Override
        public String toString() {
            return topic + " as " + name;
        }
    }
}
