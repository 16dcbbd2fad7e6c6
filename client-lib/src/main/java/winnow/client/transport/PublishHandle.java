package winnow.client.transport;

import org.jspecify.annotations.Nullable;

/// A destination that is open for publishing on one connection, with its credit. Guarded by the
/// lock of the connection's [Output].
public final class PublishHandle {
    private final int number;
    private final String name;

    /// Bytes of frames that may still be sent; a frame may be begun while it is above 0. The broker
    /// grants the first when the handle is open.
    long credit;

    /// What the broker said about credit that does not come; null once it came.
    @Nullable String blockedReason;

    /// Whether the log was told that a publish waits, and when it last was.
    boolean told;

    long toldNanos;

    PublishHandle(int number, String name) {
        this.number = number;
        this.name = name;
    }

    /// The number that the broker knows it by.
    int number() {
        return number;
    }

    /// Name of the destination.
    public String name() {
        return name;
    }
}
