package winnow.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;
import winnow.client.xa.BranchResource;
import winnow.client.xa.BranchWork;

/// A session that takes part in distributed transactions (Jakarta Messaging 3.1, 6.2.8): a
/// transaction manager says when by its [XAResource]. Outside of them it works as one with
/// AUTO_ACKNOWLEDGE.
public final class WinnowXASession extends WinnowSession implements XAQueueSession, XATopicSession {
    private final BranchResource resource;

    private WinnowXASession(WinnowXAConnection connection, JmsDomain domain) {
        super(
                connection,
                domain,
                Session.SESSION_TRANSACTED,
                (link, channel, consumers) ->
                        new BranchWork(channel, consumers, connection.unacknowledged()));
        resource = new BranchResource(connection.branches(), (BranchWork) work());
    }

    static WinnowXASession of(WinnowXAConnection connection, JmsDomain domain) {
        return new WinnowXASession(connection, domain);
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    @Override
    public Session getSession() throws JMSException {
        requireOpen();
        return this;
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        requireOpen();
        return this;
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
        requireOpen();
        return this;
    }
}
