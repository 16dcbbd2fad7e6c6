package winnow.client.option;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options that other clients have for hosts and repeated attempts, with what there is instead.
final class ForeignOptions {
    private static final String FAILOVER = "failover.";

    private static final String STARTUP =
            "startupMaxReconnectAttempts says how often a first connection is tried again, and"
                    + " startupTimeout for how long";

    /// Of options about connections that are lost.
    private static final String LOST =
            "maxReconnectAttempts says how often hosts are tried when a connection was lost";

    private static final String DELAY =
            "reconnectDelay is the longest pause before the second round of attempts, in ms";

    private static final String MULTIPLIER =
            "reconnectBackOffMultiplier says by how much pauses grow; 1 leaves them as they are";

    private static final Map<String, String> HINTS =
            Map.ofEntries(
                    // Artemis
                    Map.entry("initialConnectAttempts", STARTUP),
                    Map.entry("reconnectAttempts", LOST),
                    Map.entry("failoverAttempts", LOST),
                    Map.entry("ha", "all hosts of the URL are tried, without an option"),
                    Map.entry("retryInterval", DELAY),
                    Map.entry("retryIntervalMultiplier", MULTIPLIER),
                    Map.entry(
                            "maxRetryInterval",
                            "maxReconnectDelay is what the longest pause does not exceed, in ms"),
                    // ActiveMQ and Qpid JMS
                    Map.entry("backOffMultiplier", MULTIPLIER),
                    Map.entry("useExponentialBackOff", MULTIPLIER),
                    Map.entry("useReconnectBackOff", MULTIPLIER));

    private ForeignOptions() {}

    /// Our option for a key that is none of ours; null if nothing is known of it.
    static @Nullable String hint(String key) {
        String plain = key.startsWith(FAILOVER) ? key.substring(FAILOVER.length()) : key;
        ClientOption ours = ClientOption.ofKey(plain);
        return ours == null ? HINTS.get(plain) : "it is " + ours.key() + " here";
    }
}
