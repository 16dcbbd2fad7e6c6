package winnow.broker.subscription;

import winnow.broker.config.ByteSize;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Limits of what may wait for slow consumers.
public record SubscriptionConfig(
        @Setting(
                        value =
                                "bytes that may wait for one subscription before its"
                                        + " topic's producers are held back; a new value is for"
                                        + " new subscriptions",
                        min = "1KiB",
                        reloadable = true)
                ByteSize buffer,
        @Setting(
                        value =
                                "bytes that what waits for all subscriptions together"
                                        + " may take, a message once per event loop; the credit"
                                        + " of all producers stands for half of it at most",
                        zero = "a quarter of the largest heap",
                        effective = "effectiveTotalBytes")
                ByteSize totalBuffer) {
    public static final SubscriptionConfig DEFAULTS =
            new SubscriptionConfig(ByteSize.ofMebibytes(1), new ByteSize(0));

    public SubscriptionConfig {
        Ranges.check(SubscriptionConfig.class, buffer, totalBuffer);
    }

    /// The limit in force for all subscriptions together, in bytes.
    public long effectiveTotalBytes() {
        return totalBuffer.bytes() > 0 ? totalBuffer.bytes() : Runtime.getRuntime().maxMemory() / 4;
    }
}
