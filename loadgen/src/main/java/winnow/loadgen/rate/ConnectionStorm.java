package winnow.loadgen.rate;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import winnow.loadgen.worker.Provider;

/// A client that connects, subscribes to what the load uses, with a selector that matches nothing,
/// and leaves.
final class ConnectionStorm implements PacedAction {

    /// Connections at the same time at most.
    static final int THREADS = 32;

    private final Target target;
    private final Provider provider;

    ConnectionStorm(Target target, Provider provider) {
        this.target = target;
        this.provider = provider;
    }

    @Override
    public void perform(long number) throws JMSException {
        try (var connection = provider.connect()) {
            var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            var _ = session.createConsumer(target.in(session), "storm = 1");
            connection.start();
        }
    }

    @Override
    public void close() {}
}
