package winnow.client.jndi;

import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;
import winnow.client.WinnowConnectionFactory;
import winnow.client.WinnowXAConnectionFactory;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;

/// Gives names to connection factories and destinations. For `java.naming.factory.initial`.
///
/// | key | makes |
/// |---|---|
/// | `connectionFactory.NAME` | a connection factory for the URL that is the value |
/// | `xaConnectionFactory.NAME` | the same for a transaction manager |
/// | `topic.NAME` | a topic; the value is its text, `prices?correlationId=[#7;#13]` for example |
/// | `queue.NAME` | a queue |
/// | `java.naming.provider.url` | the factory `ConnectionFactory`, unless there is a key for it |
/// | `java.naming.security.principal`, `….credentials` | user and password of URLs without a user |
///
/// `dynamicTopics/x` and `dynamicQueues/x` are the topic and the queue x without any key. `${NAME}`
/// in a value stands for an environment variable or, if there is none, a system property;
/// `${NAME:-text}` has a default.
public final class WinnowInitialContextFactory implements InitialContextFactory {
    /// Name of the connection factory that there is without a key.
    public static final String DEFAULT_FACTORY = "ConnectionFactory";

    private static final String FACTORY_PREFIX = "connectionfactory.";
    private static final String XA_FACTORY_PREFIX = "xaconnectionfactory.";
    private static final String TOPIC_PREFIX = "topic.";
    private static final String QUEUE_PREFIX = "queue.";

    /// @throws ConfigurationException if a value cannot be used; it names the key, but no password
    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Map<String, Object> settings = new HashMap<>();
        if (environment != null) {
            environment.forEach((key, value) -> settings.put(String.valueOf(key), value));
        }
        Map<String, Object> objects = new TreeMap<>();
        for (Map.Entry<String, Object> setting : settings.entrySet()) {
            if (setting.getValue() instanceof String value) {
                bind(objects, setting.getKey(), value, settings);
            }
        }
        if (!objects.containsKey(DEFAULT_FACTORY)) {
            Object url =
                    settings.getOrDefault(
                            Context.PROVIDER_URL, WinnowConnectionFactory.DEFAULT_URL);
            objects.put(
                    DEFAULT_FACTORY,
                    factory(
                            Context.PROVIDER_URL,
                            String.valueOf(url),
                            settings,
                            WinnowConnectionFactory::new));
        }
        return new LocalContext(objects, settings);
    }

    private static void bind(
            Map<String, Object> objects, String key, String value, Map<String, Object> settings)
            throws NamingException {
        // Other providers write connectionfactory.
        String lower = key.toLowerCase(Locale.ROOT);
        if (lower.startsWith(FACTORY_PREFIX)) {
            objects.put(
                    key.substring(FACTORY_PREFIX.length()),
                    factory(key, value, settings, WinnowConnectionFactory::new));
        } else if (lower.startsWith(XA_FACTORY_PREFIX)) {
            objects.put(
                    key.substring(XA_FACTORY_PREFIX.length()),
                    factory(key, value, settings, WinnowXAConnectionFactory::new));
        } else if (lower.startsWith(TOPIC_PREFIX)) {
            objects.put(key.substring(TOPIC_PREFIX.length()), topic(key, expand(key, value)));
        } else if (lower.startsWith(QUEUE_PREFIX)) {
            objects.put(key.substring(QUEUE_PREFIX.length()), queue(key, expand(key, value)));
        }
    }

    private static WinnowConnectionFactory factory(
            String key,
            String value,
            Map<String, Object> settings,
            Function<String, WinnowConnectionFactory> making)
            throws NamingException {
        WinnowConnectionFactory factory;
        try {
            factory = making.apply(expand(key, value));
        } catch (IllegalArgumentException e) {
            throw unusable(key, e);
        }
        Object user = settings.get(Context.SECURITY_PRINCIPAL);
        if (user != null && factory.getUsername().isEmpty()) {
            factory.setUsername(expand(Context.SECURITY_PRINCIPAL, user.toString()));
            factory.setPassword(password(settings.get(Context.SECURITY_CREDENTIALS)));
        }
        return factory;
    }

    /// Any text may be a password, so nothing in it stands for something else.
    private static String password(@Nullable Object credentials) {
        if (credentials == null) {
            return "";
        }
        return credentials instanceof char[] characters
                ? new String(characters)
                : credentials.toString();
    }

    static WinnowTopic topic(String key, String text) throws NamingException {
        try {
            return WinnowTopic.parse(text);
        } catch (JMSException e) {
            throw unusable(key, e);
        }
    }

    static WinnowQueue queue(String key, String text) throws NamingException {
        try {
            return WinnowQueue.parse(text);
        } catch (JMSException e) {
            throw unusable(key, e);
        }
    }

    static NamingException unusable(String key, Exception cause) {
        NamingException error = new ConfigurationException(key + ": " + cause.getMessage());
        error.setRootCause(cause);
        return error;
    }

    /// The value with what `${…}` in it stands for.
    private static String expand(String key, String value) throws NamingException {
        StringBuilder expanded = new StringBuilder();
        int from = 0;
        for (int begin = value.indexOf("${"); begin >= 0; begin = value.indexOf("${", from)) {
            int end = value.indexOf('}', begin);
            if (end < 0) {
                throw new ConfigurationException(key + ": expected '}' behind '${', found none");
            }
            expanded.append(value, from, begin).append(variable(key, value, begin + 2, end));
            from = end + 1;
        }
        return expanded.append(value, from, value.length()).toString();
    }

    private static String variable(String key, String value, int begin, int end)
            throws NamingException {
        int mark = value.indexOf(":-", begin);
        boolean hasDefault = mark >= 0 && mark < end;
        String name = value.substring(begin, hasDefault ? mark : end);
        String found = System.getenv(name);
        if (found == null && !name.isEmpty()) {
            found = System.getProperty(name);
        }
        if (found == null && hasDefault) {
            found = value.substring(mark + 2, end);
        }
        if (found == null) {
            throw new ConfigurationException(
                    "%s: expected the environment variable or system property %s, found neither;"
                                    .formatted(key, name)
                            + " a default is written ${%s:-default}".formatted(name));
        }
        return found;
    }
}
