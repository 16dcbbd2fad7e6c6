package winnow.client;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import org.jspecify.annotations.Nullable;
import winnow.client.session.JmsDomain;
import winnow.client.session.WinnowXAConnection;

/// Makes connections to a Winnow broker for a transaction manager, whose sessions take part in
/// distributed transactions. It is set up as [WinnowConnectionFactory], and makes ordinary
/// connections, too. It is a class of its own, because pools and containers take every factory that
/// could make connections for a transaction manager for one that should.
public final class WinnowXAConnectionFactory extends WinnowConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
    private static final long serialVersionUID = 1L;

    /// A factory for a broker on this machine, at [#DEFAULT_URL].
    public WinnowXAConnectionFactory() {}

    /// A factory for the broker at that URL.
    ///
    /// @throws IllegalArgumentException if the URL is not as [WinnowConnectionFactory] describes
    public WinnowXAConnectionFactory(String url) {
        super(url);
    }

    /// A factory with credentials, which replace those of the URL.
    ///
    /// @throws IllegalArgumentException if the URL is not as [WinnowConnectionFactory] describes
    public WinnowXAConnectionFactory(String url, @Nullable String user, @Nullable String password) {
        super(url, user, password);
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return WinnowXAConnection.openXA(options(), JmsDomain.ANY);
    }

    @Override
    public XAConnection createXAConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return WinnowXAConnection.openXA(options(user, password), JmsDomain.ANY);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return WinnowXAConnection.openXA(options(), JmsDomain.QUEUE);
    }

    @Override
    public XAQueueConnection createXAQueueConnection(
            @Nullable String user, @Nullable String password) throws JMSException {
        return WinnowXAConnection.openXA(options(user, password), JmsDomain.QUEUE);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return WinnowXAConnection.openXA(options(), JmsDomain.TOPIC);
    }

    @Override
    public XATopicConnection createXATopicConnection(
            @Nullable String user, @Nullable String password) throws JMSException {
        return WinnowXAConnection.openXA(options(user, password), JmsDomain.TOPIC);
    }

    @Override
    public XAJMSContext createXAContext() {
        return WinnowXAContext.openXA(options());
    }

    @Override
    public XAJMSContext createXAContext(@Nullable String user, @Nullable String password) {
        return WinnowXAContext.openXA(options(user, password));
    }
}
