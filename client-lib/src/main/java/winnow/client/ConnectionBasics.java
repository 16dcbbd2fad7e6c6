package winnow.client;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;

/// The part of a connection that refuses, in one place, what this version does not offer.
abstract class ConnectionBasics implements TopicConnection, QueueConnection {
    private final Domain domain;

    ConnectionBasics(Domain domain) {
        this.domain = domain;
    }

    /// Says that the connection is being used, so that its client identifier stays as it is.
    ///
    /// @throws jakarta.jms.IllegalStateException if the connection is closed
    abstract void use() throws JMSException;

    final Domain domain() {
        return domain;
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.requireTopics("createSharedConnectionConsumer()");
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.requireTopics("createDurableConnectionConsumer()");
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        domain.requireTopics("createSharedDurableConnectionConsumer()");
        throw noConnectionConsumers();
    }

    private JMSException noConnectionConsumers() throws JMSException {
        use();
        return JmsErrors.notSupported(Unsupported.CONNECTION_CONSUMERS);
    }
}
