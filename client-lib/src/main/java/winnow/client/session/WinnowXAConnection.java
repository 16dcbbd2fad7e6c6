package winnow.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.option.ConnectionOptions;
import winnow.client.transport.endpoint.TransportException;
import winnow.client.xa.Branches;

/// A connection whose sessions may take part in distributed transactions (Jakarta Messaging 3.1,
/// 6.1.9). Its other sessions are ordinary ones. Thread-safe.
///
/// When it is closed, branches that are not prepared are rolled back.
public final class WinnowXAConnection extends WinnowConnection
        implements XAQueueConnection, XATopicConnection {
    private @Nullable Branches branches;

    private WinnowXAConnection(ConnectionOptions options, JmsDomain domain)
            throws TransportException {
        super(options, domain);
    }

    /// Connects.
    ///
    /// @throws JMSException as of [WinnowConnection#open]
    public static WinnowXAConnection openXA(ConnectionOptions options, JmsDomain domain)
            throws JMSException {
        try {
            return new WinnowXAConnection(options, domain);
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
    }

    /// The branches that its sessions work for.
    synchronized Branches branches() {
        Branches known = branches;
        if (known == null) {
            known = new Branches(link());
            branches = known;
        }
        return known;
    }

    @Override
    synchronized void detachBranches() {
        if (branches != null) {
            branches.onLost();
        }
    }

    private WinnowXASession newXASession(JmsDomain domain) throws JMSException {
        return add(true, () -> WinnowXASession.of(this, domain));
    }

    public WinnowXASession newXASession() throws JMSException {
        return newXASession(domain());
    }

    @Override
    public XASession createXASession() throws JMSException {
        return newXASession();
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return newXASession(JmsDomain.QUEUE);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return newXASession(JmsDomain.TOPIC);
    }
}
