package winnow.loadgen.worker;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import winnow.loadgen.workload.Point;

/// The sessions of subscribers: for each that gets messages one on a connection of its own; the
/// others may share a few, so that the number of filters can be larger than that of connections.
/// Owned by the worker's main thread.
final class SubscriberSessions implements AutoCloseable {

    private final Provider provider;
    private final Point point;
    private final ErrorLog errors;
    private final List<Connection> connections = new ArrayList<>();
    private final Map<Integer, Session> shared = new HashMap<>();

    SubscriberSessions(Provider provider, Point point, ErrorLog errors) {
        this.provider = provider;
        this.point = point;
        this.errors = errors;
    }

    /// The session for a subscriber, not started.
    Session of(int subscriber) throws JMSException {
        var other = subscriber - point.receivers();
        var sharing = point.othersConnections();
        if (other < 0 || sharing == 0) {
            return open();
        }
        var number = other % sharing;
        var session = shared.get(number);
        if (session == null) {
            session = open();
            shared.put(number, session);
        }
        return session;
    }

    /// From now on messages arrive.
    void start() throws JMSException {
        for (var connection : connections) {
            connection.start();
        }
    }

    @Override
    public void close() throws JMSException {
        for (var connection : connections) {
            connection.close();
        }
    }

    private Session open() throws JMSException {
        var number = connections.size();
        var connection = provider.connectMeasured();
        connections.add(connection);
        connection.setExceptionListener(
                problem -> errors.add("subscribers' connection " + number, problem));
        return connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    }
}
