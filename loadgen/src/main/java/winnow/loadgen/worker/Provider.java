package winnow.loadgen.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.util.regex.Pattern;
import winnow.loadgen.workload.FilterKind;

/// A Jakarta Messaging provider by name. Immutable.
///
/// @param factoryClass a `ConnectionFactory` with a constructor that takes the URL
/// @param url as the provider wants it
/// @param user empty for none
/// @param password empty for none
public record Provider(String factoryClass, String url, String user, String password) {

    /// Winnow's own provider, the default.
    public static final String WINNOW_FACTORY = "winnow.client.WinnowConnectionFactory";

    /// Where a broker listens that was started without options.
    public static final String WINNOW_URL = "winnow://127.0.0.1:61616";

    private static final Pattern LOOPBACK = Pattern.compile("//(127\\.|localhost\\b|\\[::1])");

    /// Without password and URL, which may name one, too.
    @Override
    public String toString() {
        return "Provider[" + factoryClass + (user.isEmpty() ? "]" : ", user " + user + "]");
    }

    /// A new connection, not started.
    ///
    /// @throws RefusedUrlException if the URL is not as the provider wants it
    public Connection connect() throws JMSException {
        var factory = factory();
        return user.isEmpty()
                ? factory.createConnection()
                : factory.createConnection(user, password);
    }

    /// A consumer with a correlation-ID filter: through the destination where the provider is
    /// Winnow, which evaluates such filters apart from selectors as FioranoMQ does, through a
    /// selector elsewhere.
    ///
    /// @param selector another selector, or empty
    public MessageConsumer consumerByCorrelationId(
            Session session, String topic, String filter, String selector) throws JMSException {
        if (isWinnow()) {
            return consumer(
                    session, session.createTopic(topic + "?correlationId=" + filter), selector);
        }
        var byId = "JMSCorrelationID = " + literal(filter);
        return consumer(
                session,
                session.createTopic(topic),
                selector.isEmpty() ? byId : byId + " AND (" + selector + ")");
    }

    /// A consumer with a selector, or with none if it is empty.
    public static MessageConsumer consumer(
            Session session, Destination destination, String selector) throws JMSException {
        return selector.isEmpty()
                ? session.createConsumer(destination)
                : session.createConsumer(destination, selector);
    }

    /// Whether the URL names a broker on this machine, as far as it tells.
    @JsonIgnore
    public boolean isOnThisMachine() {
        return LOOPBACK.matcher(url).find();
    }

    /// Whether the provider is Winnow's.
    @JsonIgnore
    public boolean isWinnow() {
        return factoryClass.equals(WINNOW_FACTORY);
    }

    MessageConsumer consumer(Session session, String topic, FilterKind filter, int id)
            throws JMSException {
        return switch (filter) {
            case NONE -> consumer(session, session.createTopic(topic), "");
            case CORRELATION_ID -> consumerByCorrelationId(session, topic, "#" + id, "");
            case PROPERTY, AND_FIRST, AND_MIDDLE, AND_LAST, OR ->
                    consumer(
                            session,
                            session.createTopic(topic),
                            PropertyFilter.selector(filter, id));
        };
    }

    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private ConnectionFactory factory() throws JMSException {
        try {
            return Class.forName(factoryClass)
                    .asSubclass(ConnectionFactory.class)
                    .getConstructor(String.class)
                    .newInstance(url);
        } catch (InvocationTargetException refused) {
            throw new RefusedUrlException(refused.getTargetException());
        } catch (ClassNotFoundException missing) {
            throw failure("is not on the class path", missing);
        } catch (ReflectiveOperationException | ClassCastException unsuitable) {
            throw failure("is not a ConnectionFactory with a constructor (String url)", unsuitable);
        }
    }

    private JMSException failure(String problem, Exception cause) {
        var exception = new JMSException(factoryClass + " " + problem);
        exception.setLinkedException(cause);
        exception.initCause(cause);
        return exception;
    }
}
