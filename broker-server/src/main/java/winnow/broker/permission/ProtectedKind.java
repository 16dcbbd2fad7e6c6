package winnow.broker.permission;

import java.util.Locale;
import winnow.wire.Printable;

/// A kind of objects that permissions are about. In the file, each but [#BROKER] has a list of
/// patterns of names.
public enum ProtectedKind {
    QUEUE(1),
    TOPIC(2),
    /// Durable and shared subscriptions, by their names.
    SUBSCRIPTION(4),
    /// Client identifiers.
    CLIENT(8),
    /// The broker as a whole, which has no name.
    BROKER(16);

    private final int bit;

    ProtectedKind(int bit) {
        this.bit = bit;
    }

    /// A bit of its own, for sets of kinds.
    int bit() {
        return bit;
    }

    /// As people write it: `queue`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Key of its patterns in a rule: `queues`.
    String key() {
        return text() + "s";
    }

    /// An object of this kind, for people.
    public String object(String name) {
        return switch (this) {
            case BROKER -> "the broker";
            case CLIENT -> "client identifier '" + Printable.of(name) + "'";
            case QUEUE, TOPIC, SUBSCRIPTION -> text() + " '" + Printable.of(name) + "'";
        };
    }
}
