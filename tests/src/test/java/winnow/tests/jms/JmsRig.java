package winnow.tests.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A broker of its own for each test, with a connection that is started and a session of it, for
/// tests to extend.
abstract class JmsRig {
    JmsBroker broker;
    Connection connection;
    Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker();
        connection = broker.connect();
        session = connection.createSession();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    Queue orders() throws JMSException {
        return session.createQueue("orders");
    }

    /// The texts 0, 1, 2, …
    static String[] numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new);
    }
}
