package winnow.tests.queues;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;

/// Makes consumers that acknowledge each message (AUTO_ACKNOWLEDGE) from a listener, and count it.
/// Not thread-safe.
final class Receivers {
    /// The identifier of the connection that durable subscriptions belong to.
    static final String CLIENT_ID = "queues";

    /// The property that the selectors of [#selective] compare.
    static final String TARGET = "target";

    private static final int CONSUMERS_PER_SESSION = 50;

    private final Client client;

    Receivers(Client client) {
        this.client = client;
    }

    /// Consumers of a queue, each with a connection of its own.
    void ofQueue(String queue, int consumers, QueueWindow window) throws JMSException {
        for (int i = 0; i < consumers; i++) {
            Connection connection = client.connect();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            listen(session.createConsumer(session.createQueue(queue)), window);
            connection.start();
        }
    }

    /// Consumers of a queue that share a connection, each with a selector for a value of its own.
    void selective(String queue, int consumers, QueueWindow window) throws JMSException {
        Connection connection = client.connect();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        for (int i = 0; i < consumers; i++) {
            if (i % CONSUMERS_PER_SESSION == 0) {
                session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            }
            String selector = TARGET + " = '" + i + "'";
            listen(session.createConsumer(session.createQueue(queue), selector), window);
        }
        connection.start();
    }

    /// Makes durable subscriptions that nobody receives from.
    void makeDurables(String topic, int first, int end) throws JMSException {
        try (Connection connection = client.connect()) {
            connection.setClientID(CLIENT_ID);
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            for (int i = first; i < end; i++) {
                session.createDurableSubscriber(session.createTopic(topic), name(topic, i)).close();
            }
        }
    }

    /// Receives from durable subscriptions from when the connection is started on.
    ///
    /// @return the connection, not started
    Connection ofDurables(String topic, int durables, QueueWindow window) throws JMSException {
        Connection connection = client.connect();
        connection.setClientID(CLIENT_ID);
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < durables; i++) {
            if (i % CONSUMERS_PER_SESSION == 0) {
                sessions.add(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
            }
            Session session = sessions.getLast();
            listen(
                    session.createDurableSubscriber(session.createTopic(topic), name(topic, i)),
                    window);
        }
        return connection;
    }

    private static String name(String topic, int number) {
        return topic + "-" + number;
    }

    private static void listen(MessageConsumer consumer, QueueWindow window) throws JMSException {
        consumer.setMessageListener(_ -> window.landed());
    }
}
