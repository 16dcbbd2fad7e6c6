package winnow.broker.subscription;

import java.nio.file.Path;
import java.time.Duration;
import winnow.broker.config.ByteSize;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Limits of what may wait for slow consumers.
public record SubscriptionConfig(
        @Setting(
                        value =
                                "bytes that may wait for one subscription before it is behind,"
                                        + " and `destination.slow-consumers` says what happens; a"
                                        + " new value is for new subscriptions",
                        min = "1KiB",
                        reloadable = true)
                ByteSize buffer,
        @Setting(
                        value =
                                "memory that what waits for all subscriptions together"
                                        + " may take, a message once per event loop; the credit"
                                        + " of all producers stands for half of it at most",
                        zero = "a quarter of the largest heap",
                        effective = "effectiveTotalBytes")
                ByteSize totalBuffer,
        @Setting(
                        value =
                                "bytes that may wait for one subscription that is behind, in"
                                        + " memory and on the disk; above it the consumer is"
                                        + " disconnected",
                        min = "1KiB",
                        reloadable = true)
                ByteSize spillBuffer,
        @Setting(
                        value =
                                "bytes of the disk that what waits for all subscriptions together"
                                        + " may take, and as much again for messages in parts, of"
                                        + " which more are refused; when they and three quarters of"
                                        + " `subscription.total-buffer` are used up, the consumer"
                                        + " that would take longest to catch up is disconnected",
                        min = "1MiB",
                        zero = "the smaller of 4GiB and 256 times `subscription.total-buffer`",
                        effective = "effectiveTotalSpillBytes")
                ByteSize totalSpillBuffer,
        @Setting(
                        value =
                                "how long a consumer that is behind may take nothing before it is"
                                        + " disconnected",
                        zero = "for ever",
                        reloadable = true)
                Duration spillTimeout,
        @Setting(
                        "directory of what waits for consumers that are behind, made if it is not"
                                + " there; with `--data DIR` it is `DIR/spill`; empty: it waits in"
                                + " memory, within `subscription.total-buffer`")
                Path spillDirectory) {
    private static final long MAX_TOTAL_SPILL = 4L << 30;

    /// Part of a segment of 64 KiB that is more than it takes in memory when it has left.
    private static final int SPILL_TO_MEMORY = 256;

    public static final SubscriptionConfig DEFAULTS =
            new SubscriptionConfig(
                    ByteSize.ofMebibytes(1),
                    new ByteSize(0),
                    ByteSize.ofMebibytes(1024),
                    new ByteSize(0),
                    Duration.ofMinutes(10),
                    Path.of(""));

    public SubscriptionConfig {
        Ranges.check(
                SubscriptionConfig.class,
                buffer,
                totalBuffer,
                spillBuffer,
                totalSpillBuffer,
                spillTimeout,
                spillDirectory);
    }

    /// True if what waits may leave memory.
    public boolean spills() {
        return !spillDirectory.toString().isEmpty();
    }

    /// Bytes of the disk that it may take.
    public long effectiveTotalSpillBytes() {
        return totalSpillBuffer.bytes() > 0
                ? totalSpillBuffer.bytes()
                : Math.min(MAX_TOTAL_SPILL, SPILL_TO_MEMORY * effectiveTotalBytes());
    }

    /// The limit in force for all subscriptions together, in bytes.
    public long effectiveTotalBytes() {
        return totalBuffer.bytes() > 0 ? totalBuffer.bytes() : Runtime.getRuntime().maxMemory() / 4;
    }
}
