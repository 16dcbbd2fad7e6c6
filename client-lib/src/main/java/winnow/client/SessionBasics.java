package winnow.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;
import winnow.client.message.WinnowBytesMessage;
import winnow.client.message.WinnowMapMessage;
import winnow.client.message.WinnowMessage;
import winnow.client.message.WinnowObjectMessage;
import winnow.client.message.WinnowStreamMessage;
import winnow.client.message.WinnowTextMessage;

/// The part of a session that needs no broker: it makes messages and names destinations, and
/// refuses, in one place, what this version does not offer.
abstract class SessionBasics implements TopicSession, QueueSession {
    private final Domain domain;

    SessionBasics(Domain domain) {
        this.domain = domain;
    }

    /// @throws IllegalStateException if the session is closed
    abstract void requireOpen() throws JMSException;

    final Domain domain() {
        return domain;
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        requireOpen();
        return new WinnowBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        requireOpen();
        return new WinnowMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        requireOpen();
        return new WinnowMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        requireOpen();
        return new WinnowObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        requireOpen();
        return new WinnowStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        requireOpen();
        return new WinnowTextMessage();
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) throws JMSException {
        TextMessage message = createTextMessage();
        message.setText(text);
        return message;
    }

    /// A queue's name; this version cannot send to it or receive from it.
    @Override
    public Queue createQueue(String name) throws JMSException {
        requireOpen();
        domain.requireQueues("createQueue()");
        return WinnowQueue.parse(name);
    }

    /// A topic, for consumers with a filter: `NAME` or `NAME?correlationId=[#7;#13]`, see
    /// [WinnowTopic].
    @Override
    public Topic createTopic(String name) throws JMSException {
        requireOpen();
        domain.requireTopics("createTopic()");
        return WinnowTopic.parse(name);
    }

    @Override
    public boolean getTransacted() throws JMSException {
        requireOpen();
        return false;
    }

    @Override
    public void commit() throws JMSException {
        requireOpen();
        throw new IllegalStateException("the session is not transacted");
    }

    @Override
    public void rollback() throws JMSException {
        requireOpen();
        throw new IllegalStateException("the session is not transacted");
    }

    private JMSException refuse(Unsupported what) throws JMSException {
        requireOpen();
        return JmsErrors.notSupported(what);
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        requireOpen();
        return null;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        throw refuse(Unsupported.SESSION_LISTENERS);
    }

    @Override
    public void run() {
        throw JmsErrors.unchecked(JmsErrors.notSupported(Unsupported.SESSION_RUN));
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        domain.requireTopics("createSharedConsumer()");
        throw refuse(Unsupported.SHARED);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name)
            throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(
            Topic topic, String name, @Nullable String selector) throws JMSException {
        domain.requireTopics("createSharedDurableConsumer()");
        throw refuse(Unsupported.SHARED_DURABLE);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(
            Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain.requireTopics("createDurableSubscriber()");
        throw refuse(Unsupported.DURABLE);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return createDurableConsumer(topic, name, null, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(
            Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain.requireTopics("createDurableConsumer()");
        throw refuse(Unsupported.DURABLE);
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        domain.requireTopics("unsubscribe()");
        throw refuse(Unsupported.DURABLE);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) throws JMSException {
        domain.requireQueues("createBrowser()");
        throw refuse(Unsupported.QUEUE_BROWSERS);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue, @Nullable String selector)
            throws JMSException {
        throw refuse(Unsupported.QUEUE_CONSUMERS);
    }

    @Override
    public QueueSender createSender(@Nullable Queue queue) throws JMSException {
        throw refuse(Unsupported.QUEUE_PRODUCERS);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        domain.requireQueues("createTemporaryQueue()");
        throw refuse(Unsupported.TEMPORARY_QUEUES);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        domain.requireTopics("createTemporaryTopic()");
        throw refuse(Unsupported.TEMPORARY_TOPICS);
    }
}
