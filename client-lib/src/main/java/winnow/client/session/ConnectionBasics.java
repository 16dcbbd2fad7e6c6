package winnow.client.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import org.jspecify.annotations.Nullable;
import winnow.client.receive.ConsumerSpec;
import winnow.wire.ConsumerRole;

/// The part of a connection that makes connection consumers, which application servers use.
abstract class ConnectionBasics implements TopicConnection, QueueConnection {
    private final JmsDomain domain;

    ConnectionBasics(JmsDomain domain) {
        this.domain = domain;
    }

    /// Says that the connection is being used, so that its client identifier stays as it is.
    ///
    /// @throws jakarta.jms.IllegalStateException if the connection is closed
    abstract void use() throws JMSException;

    /// Request of a connection consumer.
    @FunctionalInterface
    interface Request {
        /// @param checking a session of the connection
        /// @param anonymous a name for a subscription that has none
        ConsumerSpec spec(SessionConsumers checking, String anonymous) throws JMSException;
    }

    /// Begins to give messages to server sessions.
    ///
    /// @throws JMSException if the broker refuses, or what is asked for is no batch
    abstract ConnectionConsumer beginBatches(
            Request request, @Nullable ServerSessionPool pool, int maxMessages) throws JMSException;

    final JmsDomain domain() {
        return domain;
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return beginBatches(
                (checking, anonymous) -> checking.shareable(destination, selector, anonymous),
                pool,
                maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.requireTopics("createSharedConnectionConsumer()");
        return beginBatches(
                (checking, none) -> checking.named(ConsumerRole.SHARED, topic, name, selector),
                pool,
                maxMessages);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.requireTopics("createDurableConnectionConsumer()");
        return beginBatches(
                (checking, none) -> checking.named(ConsumerRole.DURABLE, topic, name, selector),
                pool,
                maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.requireTopics("createSharedDurableConnectionConsumer()");
        return beginBatches(
                (checking, none) ->
                        checking.named(ConsumerRole.SHARED_DURABLE, topic, name, selector),
                pool,
                maxMessages);
    }
}
