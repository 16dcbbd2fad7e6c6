package winnow.client.session;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;
import winnow.client.message.SpillSpace;
import winnow.client.message.WinnowBytesMessage;
import winnow.client.message.WinnowMapMessage;
import winnow.client.message.WinnowMessage;
import winnow.client.message.WinnowObjectMessage;
import winnow.client.message.WinnowStreamMessage;
import winnow.client.message.WinnowTextMessage;

/// The part of a session that needs no broker: it makes messages and names destinations.
abstract class SessionBasics implements TopicSession, QueueSession {
    private final JmsDomain domain;

    SessionBasics(JmsDomain domain) {
        this.domain = domain;
    }

    /// @throws jakarta.jms.IllegalStateException if the session is closed
    abstract void requireOpen() throws JMSException;

    /// Space for large bodies.
    abstract SpillSpace spillSpace();

    final JmsDomain domain() {
        return domain;
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        requireOpen();
        return new WinnowBytesMessage(spillSpace());
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

    /// A queue; the broker makes it when it is first used.
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
}
