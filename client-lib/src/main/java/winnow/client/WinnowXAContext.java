package winnow.client;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAJMSContext;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAResource;
import winnow.client.error.JmsErrors;
import winnow.client.option.ConnectionOptions;
import winnow.client.session.JmsDomain;
import winnow.client.session.WinnowSession;
import winnow.client.session.WinnowXAConnection;
import winnow.client.session.WinnowXASession;

/// A connection and one session of it that takes part in distributed transactions, as one object
/// (Jakarta Messaging 3.1, 6.3.6).
final class WinnowXAContext extends WinnowContext implements XAJMSContext {
    private final WinnowXAConnection connection;

    private WinnowXAContext(WinnowXAConnection connection) {
        super(connection, new AtomicInteger(1), Session.SESSION_TRANSACTED);
        this.connection = connection;
    }

    /// Connects.
    static WinnowXAContext openXA(ConnectionOptions options) {
        return JmsErrors.call(
                () -> new WinnowXAContext(WinnowXAConnection.openXA(options, JmsDomain.ANY)));
    }

    @Override
    WinnowSession newSession() throws JMSException {
        return connection.newXASession();
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return JmsErrors.call(() -> ((WinnowXASession) session()).getXAResource());
    }
}
