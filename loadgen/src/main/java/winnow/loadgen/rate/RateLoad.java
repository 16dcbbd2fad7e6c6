package winnow.loadgen.rate;

import java.time.Duration;

/// Messages that are due at their times, and those who send and receive them. Immutable.
///
/// @param target where they go
/// @param publishers each with a connection and a thread
/// @param subscribers each with a connection
/// @param persistent their delivery mode
/// @param async whether sends are confirmed to a completion listener (Jakarta Messaging 3.1, 7.3)
///   instead of waited for
/// @param batch messages of a transaction on both sides; 0 without transactions
/// @param bodyBytes size of each body, at least [#MIN_BODY_BYTES]
/// @param handling time that a subscriber takes for a message; 0 for none
/// @param spacing of the times at which messages are due
/// @param warmup time before the first message that counts is due
/// @param duration time in which the messages that count are due
/// @param seed of what is random
/// @param beside disturbances that go on beside it
public record RateLoad(
        Target target,
        int publishers,
        int subscribers,
        boolean persistent,
        boolean async,
        int batch,
        int bodyBytes,
        Duration handling,
        Spacing spacing,
        Duration warmup,
        Duration duration,
        long seed,
        SideLoads beside) {

    /// Bytes of the sender, the number of the message and the time at which it was due.
    public static final int MIN_BODY_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private static final int MAX_BODY_BYTES = 64 << 20;
    private static final int MAX_CLIENTS = 10_000;
    private static final int MAX_BATCH = 10_000;

    public RateLoad {
        if (publishers < 1 || publishers > MAX_CLIENTS) {
            throw new IllegalArgumentException(
                    "expected 1 to %,d publishers, found %,d".formatted(MAX_CLIENTS, publishers));
        }
        if (subscribers < 1 || subscribers > MAX_CLIENTS) {
            throw new IllegalArgumentException(
                    "expected 1 to %,d subscribers, found %,d".formatted(MAX_CLIENTS, subscribers));
        }
        if (bodyBytes < MIN_BODY_BYTES || bodyBytes > MAX_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "expected bodies of %,d to %,d bytes, found %,d"
                            .formatted(MIN_BODY_BYTES, MAX_BODY_BYTES, bodyBytes));
        }
        if (batch < 0 || batch > MAX_BATCH) {
            throw new IllegalArgumentException(
                    "expected transactions of 1 to %,d messages, or 0 for none, found %,d"
                            .formatted(MAX_BATCH, batch));
        }
        if (batch > 0 && async) {
            throw new IllegalArgumentException(
                    "expected transactions or a completion listener, found both");
        }
        if (warmup.isNegative() || !duration.isPositive() || handling.isNegative()) {
            throw new IllegalArgumentException(
                    "expected warm-up >= 0, duration > 0, handling >= 0, found %s, %s, %s"
                            .formatted(warmup, duration, handling));
        }
        if (beside.stalled() > 0 && target.kind() != Target.Kind.TOPIC) {
            throw new IllegalArgumentException(
                    ("expected a topic for consumers that are stalled, found a %s: there they would"
                                    + " keep messages that others wait for")
                            .formatted(target.kind()));
        }
    }

    /// The same load for other times, on its own.
    public RateLoad lasting(Duration warming, Duration measured) {
        return with(warming, measured, SideLoads.NONE);
    }

    /// The same load with other disturbances.
    public RateLoad beside(SideLoads others) {
        return with(warmup, duration, others);
    }

    private RateLoad with(Duration warming, Duration measured, SideLoads others) {
        return new RateLoad(
                target,
                publishers,
                subscribers,
                persistent,
                async,
                batch,
                bodyBytes,
                handling,
                spacing,
                warming,
                measured,
                seed,
                others);
    }

    /// Messages that arrive for each that is sent.
    int copies() {
        return target.kind() == Target.Kind.TOPIC ? subscribers : 1;
    }
}
