package winnow.broker.storage;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import winnow.broker.config.ByteSize;
import winnow.broker.config.ConfigReader;
import winnow.broker.shard.Backlog;
import winnow.broker.shard.Backlog.Overflow;
import winnow.broker.shard.Policy;
import winnow.broker.shard.Redelivery;

/// Part of a policy that a rule sets for some destinations, named as the setting for all.
enum PolicyPart {
    MAX_MESSAGES((policy, text) -> {
        Backlog old = policy.backlog();
        return policy.withBacklog(new Backlog(count(text), old.maxBytes(), old.overflow()));
    }),
    MAX_BYTES((policy, text) -> {
        Backlog old = policy.backlog();
        return policy.withBacklog(
                new Backlog(old.maxMessages(), ByteSize.parse(text).bytes(), old.overflow()));
    }),
    MAX_MESSAGE_BYTES((policy, text) -> policy.withMaxMessageBytes(bytes(text))),
    OVERFLOW((policy, text) -> {
        Backlog old = policy.backlog();
        return policy.withBacklog(new Backlog(old.maxMessages(), old.maxBytes(), overflow(text)));
    }),
    TIME_TO_LIVE((policy, text) -> policy.withMaxTimeToLiveMillis(millis(text))),
    BURY_EXPIRED((policy, text) -> policy.withBuriesExpired(truth(text))),
    MAX_DELIVERIES((policy, text) -> {
        Redelivery old = policy.redelivery();
        return policy.withRedelivery(
                redelivery(count(text), old.firstDelayMillis(), old.maxDelayMillis()));
    }),
    REDELIVERY_DELAY((policy, text) -> {
        Redelivery old = policy.redelivery();
        return policy.withRedelivery(
                redelivery(old.maxDeliveries(), millis(text), old.maxDelayMillis()));
    }),
    MAX_REDELIVERY_DELAY((policy, text) -> {
        Redelivery old = policy.redelivery();
        return policy.withRedelivery(
                redelivery(old.maxDeliveries(), old.firstDelayMillis(), millis(text)));
    });

    @SuppressWarnings("ImmutableEnumChecker") // all of these functions are without state
    private final BiFunction<Policy, String, Policy> change;

    PolicyPart(BiFunction<Policy, String, Policy> change) {
        this.change = change;
    }

    /// The part with that name.
    ///
    /// @throws IllegalArgumentException naming all of them
    static PolicyPart of(String word) {
        for (PolicyPart part : values()) {
            if (part.word().equals(word)) {
                return part;
            }
        }
        throw new IllegalArgumentException(
                "expected one of "
                        + Arrays.stream(values())
                                .map(PolicyPart::word)
                                .collect(Collectors.joining(", "))
                        + ", found '"
                        + word
                        + "'");
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// A policy with this part changed.
    ///
    /// @throws IllegalArgumentException saying what was expected
    Policy apply(Policy policy, String text) {
        try {
            return change.apply(policy, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(word() + ": " + e.getMessage(), e);
        }
    }

    static Redelivery redelivery(int maxDeliveries, long firstDelayMillis, long maxDelayMillis) {
        return new Redelivery(
                maxDeliveries, firstDelayMillis, Redelivery.DEFAULTS.multiplier(), maxDelayMillis);
    }

    private static int count(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    "expected a whole number of up to 9 digits, found '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static int bytes(String text) {
        long bytes = ByteSize.parse(text).bytes();
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("expected 1B to 2047MiB, found '" + text + "'");
        }
        return (int) bytes;
    }

    private static long millis(String text) {
        Duration time = ConfigReader.parseDuration(text);
        if (time.isNegative()) {
            throw new IllegalArgumentException("expected at least 0s, found '" + text + "'");
        }
        return time.toMillis();
    }

    private static Overflow overflow(String text) {
        return (Overflow) ConfigReader.parseEnum(Overflow.class, text);
    }

    private static boolean truth(String text) {
        return ConfigReader.parseBoolean(text);
    }
}
