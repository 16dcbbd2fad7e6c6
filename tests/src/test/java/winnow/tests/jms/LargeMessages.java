package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;
import winnow.tests.StoredParts;

/// A broker with a store, and what tests of messages do that travel in parts, because they are
/// longer than 1 MiB.
abstract class LargeMessages {
    static final int MIB = 1 << 20;

    @TempDir private Path directory = Path.of("");
    final List<Connection> connections = new ArrayList<>();
    RunningBroker broker;
    Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker =
                new RunningBroker(
                        Map.of(
                                "storage.directory", directory.resolve("store").toString(),
                                "transport.max-frame", "2MiB",
                                "queue.policies", "short=max-message-bytes:3MiB",
                                "queue.max-deliveries", "2"));
        session = connection(broker.url()).createSession();
    }

    @AfterEach
    void close() throws JMSException {
        for (Connection connection : connections) {
            connection.close();
        }
        broker.close();
    }

    Connection connection(String url) throws JMSException {
        Connection made = new WinnowConnectionFactory(url).createConnection();
        connections.add(made);
        made.start();
        return made;
    }

    Queue queue() throws JMSException {
        return session.createQueue("large");
    }

    static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static BytesMessage message(Session session, byte[] body) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        message.setIntProperty("length", body.length);
        return message;
    }

    void send(Queue queue, byte[] body) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.send(message(session, body));
        }
    }

    static BytesMessage receive(MessageConsumer consumer) throws JMSException {
        return (BytesMessage) JmsBroker.receive(consumer);
    }

    static byte[] body(BytesMessage message) throws JMSException {
        byte[] body = new byte[Math.toIntExact(message.getBodyLength())];
        assertThat(message.readBytes(body)).isEqualTo(body.length == 0 ? -1 : body.length);
        return body;
    }

    static List<Message> shown(QueueBrowser browser) throws JMSException {
        List<Message> shown = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            shown.add((Message) messages.nextElement());
        }
        return shown;
    }

    /// The rows of parts that are in the store of a broker, which is closed.
    int partsInStore() {
        broker.close();
        return StoredParts.count(directory.resolve("store"));
    }
}
