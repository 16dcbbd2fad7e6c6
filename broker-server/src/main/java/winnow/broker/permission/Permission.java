package winnow.broker.permission;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// An operation that a rule may allow.
public enum Permission {
    SEND("send to", ProtectedKind.QUEUE, ProtectedKind.TOPIC),
    RECEIVE("receive from", ProtectedKind.QUEUE, ProtectedKind.TOPIC),
    /// Messages are shown and stay.
    BROWSE("browse", ProtectedKind.QUEUE, ProtectedKind.TOPIC, ProtectedKind.SUBSCRIPTION),
    /// A durable or shared subscription is made, taken up or ended by a client.
    SUBSCRIBE("use", ProtectedKind.SUBSCRIPTION),
    CREATE("create", ProtectedKind.QUEUE),
    DELETE("delete", ProtectedKind.QUEUE, ProtectedKind.SUBSCRIPTION),
    /// Temporary destinations are made.
    TEMPORARY("make temporary destinations at", ProtectedKind.BROKER),
    /// A client identifier is taken.
    IDENTIFY("take", ProtectedKind.CLIENT),
    /// Names, numbers and selectors are shown.
    VIEW(
            "view",
            ProtectedKind.QUEUE,
            ProtectedKind.TOPIC,
            ProtectedKind.SUBSCRIPTION,
            ProtectedKind.CLIENT),
    /// Messages are removed, moved or kept back by an operator.
    EDIT("edit", ProtectedKind.QUEUE, ProtectedKind.SUBSCRIPTION),
    /// Prepared transactions of others are seen and decided.
    DECIDE("decide prepared transactions of others at", ProtectedKind.BROKER),
    ADMIN("administer", ProtectedKind.BROKER);

    private final String phrase;

    /// A bit for each kind.
    private final int kinds;

    Permission(String phrase, ProtectedKind first, ProtectedKind... others) {
        this.phrase = phrase;
        int bits = first.bit();
        for (ProtectedKind other : others) {
            bits |= other.bit();
        }
        this.kinds = bits;
    }

    /// As rules and commands write it: `send`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// True if it is about objects of that kind.
    public boolean isAbout(ProtectedKind kind) {
        return (kinds & kind.bit()) != 0;
    }

    /// The kinds of objects that it is about.
    public Set<ProtectedKind> kinds() {
        Set<ProtectedKind> found = EnumSet.noneOf(ProtectedKind.class);
        for (ProtectedKind kind : ProtectedKind.values()) {
            if (isAbout(kind)) {
                found.add(kind);
            }
        }
        return found;
    }

    /// Operation and object, for people: `send to queue 'orders'`.
    String on(ProtectedKind kind, String name) {
        return phrase + " " + kind.object(name);
    }
}
