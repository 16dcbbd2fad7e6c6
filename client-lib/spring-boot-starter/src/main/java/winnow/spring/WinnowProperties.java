package winnow.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import winnow.client.WinnowConnectionFactory;

/**
 * Settings of the connection to a Winnow broker.
 *
 * @param url URL of the broker, winnow://host:port or winnows://host:port for TLS, with more hosts
 *     behind commas if there are several, and options of the client, such as ?startupTimeout=60000.
 * @param user User to log in as. Without one the connection is anonymous, or as the URL says.
 * @param password The user's password.
 * @param application Name by which the broker's operator recognises the application's connections.
 *     By default that of spring.application.name.
 * @param ssl TLS.
 * @param pool Pool of connections, which needs pooled-jms (org.messaginghub:pooled-jms).
 */
@ConfigurationProperties("spring.winnow")
record WinnowProperties(
        @DefaultValue(WinnowConnectionFactory.DEFAULT_URL) String url,
        @Nullable String user,
        @Nullable String password,
        @Nullable String application,
        @DefaultValue Ssl ssl,
        @DefaultValue Pool pool) {
    /** Without the password. */
    @Override
    public String toString() {
        return "WinnowProperties[user=%s, application=%s, ssl=%s, pool=%s]"
                .formatted(user, application, ssl, pool);
    }

    /**
     * TLS.
     *
     * @param bundle SSL bundle whose certificates are used, with a URL of winnows://. Connections
     *     that are made after the bundle has changed use what it is then.
     */
    record Ssl(@Nullable String bundle) {}

    /**
     * Pool of connections.
     *
     * @param enabled Whether to use a pool if pooled-jms is there, instead of the cache of
     *     spring.jms.cache.
     * @param maxConnections Maximum number of connections.
     * @param maxSessionsPerConnection Maximum number of sessions of a connection.
     * @param idleTimeout Time after which a connection that is not used is closed.
     * @param blockIfFull Whether to wait when all sessions are in use, instead of failing.
     * @param blockIfFullTimeout Longest wait for a session. A negative value waits for ever.
     * @param timeBetweenExpirationCheck Time between checks for connections that are not used. A
     *     negative value checks none.
     * @param useAnonymousProducers Whether the senders of a session share one producer.
     */
    record Pool(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1") int maxConnections,
            @DefaultValue("500") int maxSessionsPerConnection,
            @DefaultValue("30s") Duration idleTimeout,
            @DefaultValue("true") boolean blockIfFull,
            @DefaultValue("-1ms") Duration blockIfFullTimeout,
            @DefaultValue("-1ms") Duration timeBetweenExpirationCheck,
            @DefaultValue("true") boolean useAnonymousProducers) {}
}
