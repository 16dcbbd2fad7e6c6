package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import winnow.client.WinnowConnectionFactory;
import winnow.client.WinnowXAConnectionFactory;
import winnow.tests.RunningBroker;

/// A broker with the connections of one test, and what all tests do with them.
final class JmsBroker implements AutoCloseable {
    /// Longest wait for what has to come, in milliseconds.
    static final long DEADLINE_MILLIS = 20_000;

    /// How long nothing may come, in milliseconds.
    static final long SILENCE_MILLIS = 200;

    private final RunningBroker broker;
    private final List<Connection> connections = new ArrayList<>();

    JmsBroker() throws IOException {
        this(Map.of());
    }

    /// @param settings of the broker
    JmsBroker(Map<String, String> settings) throws IOException {
        broker = new RunningBroker(settings);
    }

    /// The URL that clients use.
    String url() {
        return broker.url();
    }

    /// @param options of the URL, as `?a=1&b=2`
    WinnowConnectionFactory factory(String options) {
        return new WinnowConnectionFactory(broker.url() + options);
    }

    /// A started connection, which is closed after the test.
    Connection connect() throws JMSException {
        return connect("");
    }

    /// @param options of the URL, as `?a=1&b=2`
    Connection connect(String options) throws JMSException {
        Connection connection = factory(options).createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    /// A started connection for a transaction manager, which is closed after the test.
    XAConnection connectXA() throws JMSException {
        XAConnection connection = xaFactory().createXAConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    /// A factory of connections for a transaction manager.
    WinnowXAConnectionFactory xaFactory() {
        return new WinnowXAConnectionFactory(broker.url());
    }

    static void send(Session session, MessageProducer producer, String... texts)
            throws JMSException {
        for (String text : texts) {
            producer.send(session.createTextMessage(text));
        }
    }

    /// The next message, which has to come.
    static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(DEADLINE_MILLIS);
        assertThat(message).as("a message").isNotNull();
        return message;
    }

    /// The text of the next message, which has to come.
    static String text(MessageConsumer consumer) throws JMSException {
        return ((TextMessage) receive(consumer)).getText();
    }

    /// The text of a message that a listener has.
    static String textOf(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    /// The texts of the next messages, which have to come.
    static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(consumer));
        }
        return texts;
    }

    /// Fails if a message comes.
    static void expectNothing(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(SILENCE_MILLIS);
        assertThat(message).as("a message").isNull();
    }

    @Override
    public void close() {
        try {
            for (Connection connection : connections) {
                connection.close();
            }
        } catch (JMSException e) {
            throw new AssertionError(e);
        } finally {
            broker.close();
        }
    }
}
