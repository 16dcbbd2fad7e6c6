package winnow.tests.queues;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;

/// Connections to one broker through its own client library. Closing it closes them. Not
/// thread-safe.
final class Client implements AutoCloseable {
    private final ConnectionFactory factory;
    private final List<Connection> connections = new ArrayList<>();

    /// @param address host and port of the broker
    Client(Contender contender, String address) throws ReflectiveOperationException {
        ClassLoader classes = contender.classes();
        Thread.currentThread().setContextClassLoader(classes);
        factory =
                Class.forName(contender.factoryClass(), true, classes)
                        .asSubclass(ConnectionFactory.class)
                        .getConstructor(String.class)
                        .newInstance(contender.urlForm().formatted(address));
    }

    /// A connection that is not started.
    Connection connect() throws JMSException {
        Connection connection = factory.createConnection();
        connections.add(connection);
        return connection;
    }

    /// Closes all connections.
    ///
    /// @throws JMSException the first that one of them threw
    @Override
    public void close() throws JMSException {
        JMSException first = null;
        for (Connection connection : connections) {
            try {
                connection.close();
            } catch (JMSException e) {
                first = first == null ? e : first;
            }
        }
        connections.clear();
        if (first != null) {
            throw first;
        }
    }
}
