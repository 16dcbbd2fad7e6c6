package winnow.broker;

import java.util.Map;
import winnow.broker.config.ConfigReader;
import winnow.broker.destination.DestinationConfig;
import winnow.broker.logging.LogConfig;
import winnow.broker.metrics.MetricsConfig;
import winnow.broker.security.SecurityConfig;
import winnow.broker.session.SessionConfig;
import winnow.broker.storage.ClusterConfig;
import winnow.broker.storage.QueueConfig;
import winnow.broker.storage.StorageConfig;
import winnow.broker.subscription.SubscriptionConfig;
import winnow.broker.transport.HttpConfig;
import winnow.broker.transport.TransportConfig;
import winnow.broker.transport.tls.TlsConfig;

/// All settings of a broker but its addresses. Keys are `section.name` in kebab-case, such as
/// `subscription.buffer`.
public record BrokerConfig(
        TransportConfig transport,
        SessionConfig session,
        DestinationConfig destination,
        SubscriptionConfig subscription,
        QueueConfig queue,
        StorageConfig storage,
        ClusterConfig cluster,
        MetricsConfig metrics,
        HttpConfig http,
        SecurityConfig security,
        TlsConfig tls,
        LogConfig log) {
    public static final BrokerConfig DEFAULTS =
            new BrokerConfig(
                    TransportConfig.DEFAULTS,
                    SessionConfig.DEFAULTS,
                    DestinationConfig.DEFAULTS,
                    SubscriptionConfig.DEFAULTS,
                    QueueConfig.DEFAULTS,
                    StorageConfig.DEFAULTS,
                    ClusterConfig.DEFAULTS,
                    MetricsConfig.DEFAULTS,
                    HttpConfig.DEFAULTS,
                    SecurityConfig.DEFAULTS,
                    TlsConfig.DEFAULTS,
                    LogConfig.DEFAULTS);

    /// The defaults changed by these settings.
    ///
    /// @throws IllegalArgumentException naming the key, what was expected and what was found
    public static BrokerConfig of(Map<String, String> settings) {
        return ConfigReader.read(DEFAULTS, settings);
    }
}
