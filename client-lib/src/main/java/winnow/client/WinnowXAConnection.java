package winnow.client;

import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.TransportException;

/// A connection whose sessions may take part in distributed transactions (Jakarta Messaging 3.1,
/// 6.1.9). Its other sessions are ordinary ones. Thread-safe.
///
/// When it is closed, branches that are not prepared are rolled back.
final class WinnowXAConnection extends WinnowConnection
        implements XAQueueConnection, XATopicConnection {
    private @Nullable Branches branches;

    private WinnowXAConnection(ConnectionOptions options, Domain domain) throws TransportException {
        super(options, domain);
    }

    /// Connects.
    ///
    /// @throws JMSException as of [WinnowConnection#open]
    static WinnowXAConnection openXA(ConnectionOptions options, Domain domain) throws JMSException {
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

    private WinnowXASession newXASession(Domain domain) throws JMSException {
        return add(true, () -> WinnowXASession.of(this, domain));
    }

    WinnowXASession newXASession() throws JMSException {
        return newXASession(domain());
    }

    @Override
    public XASession createXASession() throws JMSException {
        return newXASession();
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return newXASession(Domain.QUEUE);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return newXASession(Domain.TOPIC);
    }
}
