package winnow.spring;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.connection.CachingConnectionFactory;

/// Spring's cache of one connection, which makes another one when its own has ended for good, and
/// only then. Thread-safe, as the cache is.
///
/// Spring Boot takes a bean that is an [ExceptionListener], which the cache is, for that of its
/// listener containers. So the cache hears of each commit that fails in them, on connections of
/// theirs, and would end its own connection, with the sends that wait on it for a broker to come
/// back.
final class ConnectionCache extends CachingConnectionFactory {
    private volatile @Nullable JMSException end;

    ConnectionCache(ConnectionFactory factory) {
        super(factory);
    }

    @Override
    protected void prepareConnection(Connection connection) throws JMSException {
        super.prepareConnection(connection);
        ExceptionListener all = connection.getExceptionListener();
        connection.setExceptionListener(failure -> {
            end = failure;
            all.onException(failure);
        });
    }

    @Override
    public void onException(JMSException failure) {
        if (failure.equals(end)) {
            super.onException(failure);
        }
    }
}
