package winnow.broker.subscription;

import winnow.broker.config.ByteSize;

/// Limits of what may wait for slow consumers.
///
/// @param buffer bytes that may wait for one subscription before its topic's producers are held
///   back
/// @param totalBuffer bytes that what waits for all subscriptions together may take, a message once
///   per event loop; 0 means a quarter of the largest heap. The credit of all producers stands for
///   half of it at most
public record SubscriptionConfig(ByteSize buffer, ByteSize totalBuffer) {
    public static final SubscriptionConfig DEFAULTS =
            new SubscriptionConfig(ByteSize.ofMebibytes(1), new ByteSize(0));

    public SubscriptionConfig {
        if (buffer.bytes() < 1024) {
            throw new IllegalArgumentException("buffer: expected at least 1KiB, found " + buffer);
        }
    }

    /// The limit in force for all subscriptions together, in bytes.
    public long effectiveTotalBytes() {
        return totalBuffer.bytes() > 0 ? totalBuffer.bytes() : Runtime.getRuntime().maxMemory() / 4;
    }
}
