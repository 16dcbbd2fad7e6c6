package winnow.client.jndi;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Hashtable;
import java.util.Set;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;
import winnow.client.WinnowConnectionFactory;
import winnow.client.WinnowXAConnectionFactory;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;

/// Makes connection factories and destinations from the references that a container's directory
/// keeps or its configuration states, such as a `Resource` of Tomcat. It makes nothing else,
/// whatever a reference asks for.
///
/// A connection factory has the attribute `url`, and may have the options of a URL as further ones;
/// a topic and a queue have `name`.
public final class WinnowObjectFactory implements ObjectFactory {
    private static final String URL = "url";

    /// Attributes that containers add for themselves.
    private static final Set<String> CONTAINER_ATTRIBUTES =
            Set.of("factory", "scope", "auth", "singleton", "description", "type", "closeMethod");

    /// @return null if it is a reference to something else
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (!(object instanceof Reference reference)) {
            return null;
        }
        String type = reference.getClassName();
        if (WinnowConnectionFactory.class.getName().equals(type)) {
            return connectionFactory(reference, WinnowConnectionFactory::new);
        }
        if (WinnowXAConnectionFactory.class.getName().equals(type)) {
            return connectionFactory(reference, WinnowXAConnectionFactory::new);
        }
        if (WinnowTopic.class.getName().equals(type)) {
            return WinnowInitialContextFactory.topic(type, text(reference, "name"));
        }
        if (WinnowQueue.class.getName().equals(type)) {
            return WinnowInitialContextFactory.queue(type, text(reference, "name"));
        }
        return null;
    }

    private static WinnowConnectionFactory connectionFactory(
            Reference reference, Function<String, WinnowConnectionFactory> making)
            throws NamingException {
        StringBuilder url = new StringBuilder(text(reference, URL));
        char separator = url.indexOf("?") < 0 ? '?' : '&';
        for (RefAddr attribute : Collections.list(reference.getAll())) {
            String key = attribute.getType();
            if (!key.equals(URL) && !CONTAINER_ATTRIBUTES.contains(key)) {
                String value = text(reference, key);
                url.append(separator).append(key).append('=').append(encode(value));
                separator = '&';
            }
        }
        try {
            return making.apply(url.toString());
        } catch (IllegalArgumentException e) {
            throw WinnowInitialContextFactory.unusable(reference.getClassName(), e);
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String text(Reference reference, String key) throws NamingException {
        RefAddr attribute = reference.get(key);
        if (attribute == null || !(attribute.getContent() instanceof String text)) {
            throw new ConfigurationException(
                    "%s: expected the attribute '%s' with a text, found none"
                            .formatted(reference.getClassName(), key));
        }
        return text;
    }
}
