package winnow.loadgen.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import winnow.loadgen.workload.Point;

/// A Jakarta Messaging provider by name. Immutable.
///
/// @param factoryClass a `ConnectionFactory` with a constructor that takes the URL, or, without it,
///   with a method `setProperty(String, String)`
/// @param url as the provider wants it; `name=value` for `setProperty`, several joined by `;`
/// @param user empty for none
/// @param password empty for none
public record Provider(String factoryClass, String url, String user, String password) {

    /// Winnow's own provider, the default.
    public static final String WINNOW_FACTORY = "winnow.client.WinnowConnectionFactory";

    /// Address of a broker that was started without options.
    public static final String WINNOW_URL = "winnow://127.0.0.1:61616";

    private static final String RETURN_OPTION = "maxReconnectAttempts=";
    private static final Pattern LOOPBACK = Pattern.compile("(^|//)(127\\.|localhost\\b|\\[::1])");

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

    /// A new connection for a measurement, not started. One of Winnow's ends when it is lost, and
    /// tells its exception listener: if it came back, the gap would count as a slow broker.
    ///
    /// @throws RefusedUrlException if the URL is not as the provider wants it
    public Connection connectMeasured() throws JMSException {
        return measured().connect();
    }

    /// The same whose connections do not come back, unless the URL says something about that.
    Provider measured() {
        if (!isWinnow() || url.contains(RETURN_OPTION)) {
            return this;
        }
        var separator = url.contains("?") ? "&" : "?";
        return new Provider(factoryClass, url + separator + RETURN_OPTION + "0", user, password);
    }

    /// A consumer with a correlation-ID filter: through the destination where the provider is
    /// Winnow, which evaluates such filters apart from selectors as FioranoMQ does, through a
    /// selector elsewhere.
    ///
    /// @param selector another selector, or empty
    public MessageConsumer consumerByCorrelationId(
            Session session, String topic, String filter, String selector) throws JMSException {
        return consumerByAnyCorrelationId(session, topic, List.of(filter), selector);
    }

    private MessageConsumer consumerByAnyCorrelationId(
            Session session, String topic, List<String> filters, String selector)
            throws JMSException {
        if (isWinnow()) {
            return consumer(
                    session,
                    session.createTopic(topic + "?correlationId=" + String.join("|", filters)),
                    selector);
        }
        var ids =
                filters.stream()
                        .map(filter -> "JMSCorrelationID = " + literal(filter))
                        .collect(Collectors.joining(" OR "));
        var byId = filters.size() == 1 || selector.isEmpty() ? ids : "(" + ids + ")";
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

    /// True if the URL names brokers on this machine only, as far as it tells.
    @JsonIgnore
    public boolean isOnThisMachine() {
        var hosts = url.split("\\?", 2)[0].split(",", -1);
        return Stream.of(hosts).allMatch(host -> LOOPBACK.matcher(host).find());
    }

    /// True if the provider is Winnow's.
    @JsonIgnore
    public boolean isWinnow() {
        return factoryClass.equals(WINNOW_FACTORY);
    }

    /// A consumer of one of a point's subscribers.
    ///
    /// @param id the first of its ids
    MessageConsumer consumer(Session session, String topic, Point point, int id)
            throws JMSException {
        return switch (point.filter()) {
            case NONE -> consumer(session, session.createTopic(topic), "");
            case CORRELATION_ID -> {
                var ids =
                        IntStream.range(id, id + point.alternatives()).mapToObj(each -> "#" + each);
                yield consumerByAnyCorrelationId(session, topic, ids.toList(), "");
            }
            case PROPERTY ->
                    consumer(
                            session,
                            session.createTopic(topic),
                            PropertyFilter.selector(point, id));
        };
    }

    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private ConnectionFactory factory() throws JMSException {
        try {
            var type =
                    Class.forName(factoryClass, false, loader())
                            .asSubclass(ConnectionFactory.class);
            var takesUrl =
                    Arrays.stream(type.getConstructors())
                            .anyMatch(one ->
                                    Arrays.equals(
                                            one.getParameterTypes(),
                                            new Class<?>[] {String.class}));
            return takesUrl
                    ? type.getConstructor(String.class).newInstance(url)
                    : withProperties(type);
        } catch (InvocationTargetException refused) {
            throw new RefusedUrlException(refused.getTargetException());
        } catch (ClassNotFoundException missing) {
            throw failure("is not on the class path", missing);
        } catch (ReflectiveOperationException | ClassCastException unsuitable) {
            throw failure(
                    "is not a ConnectionFactory with a constructor (String url) or a method"
                            + " setProperty(String, String)",
                    unsuitable);
        }
    }

    private ConnectionFactory withProperties(Class<? extends ConnectionFactory> type)
            throws ReflectiveOperationException, RefusedUrlException {
        var factory = type.getConstructor().newInstance();
        var setter = type.getMethod("setProperty", String.class, String.class);
        for (var property : url.split(";", -1)) {
            var parts = property.split("=", 2);
            if (parts.length < 2) {
                throw new RefusedUrlException(
                        new IllegalArgumentException(
                                "expected name=value for %s, found '%s'"
                                        .formatted(factoryClass, property)));
            }
            setter.invoke(factory, parts[0], parts[1]);
        }
        return factory;
    }

    /// The thread's own, if it has one.
    private static ClassLoader loader() {
        var ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread == null ? Provider.class.getClassLoader() : ofThread;
    }

    private JMSException failure(String problem, Exception cause) {
        var exception = new JMSException(factoryClass + " " + problem);
        exception.setLinkedException(cause);
        exception.initCause(cause);
        return exception;
    }
}
