package winnow.tests.queues;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A queue of a Jakarta Messaging provider, whose connection factory the system property
/// `jms.factory` names.
public final class JmsQueueAccess implements QueueAccess {
    private static final String QUEUE = "confirmed";

    private final ConnectionFactory factory;
    private final List<Connection> connections = new ArrayList<>();

    /// @param url of the provider
    public JmsQueueAccess(String url) throws ReflectiveOperationException {
        factory =
                Class.forName(Objects.requireNonNull(System.getProperty("jms.factory")))
                        .asSubclass(ConnectionFactory.class)
                        .getConstructor(String.class)
                        .newInstance(url);
    }

    private Session session() throws JMSException {
        Connection connection = factory.createConnection();
        connections.add(connection);
        connection.start();
        return connection.createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public ConfirmedSender sender() throws JMSException {
        Session session = session();
        MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
        return body -> {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(body);
            producer.send(message);
        };
    }

    @Override
    public void consume(Runnable landed) throws JMSException {
        Session session = session();
        Queue queue = session.createQueue(QUEUE);
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(_ -> landed.run());
    }

    @Override
    public void close() throws IOException {
        try {
            for (Connection connection : connections) {
                connection.close();
            }
        } catch (JMSException e) {
            throw new IOException(e);
        }
    }
}
