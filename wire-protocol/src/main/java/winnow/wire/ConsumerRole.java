package winnow.wire;

/// Source of the messages of a session's consumer. One byte on the wire.
public enum ConsumerRole {
    /// A queue, of which each message goes to one consumer.
    QUEUE(1),
    /// A queue that is looked at and not changed.
    BROWSER(2),
    /// A durable subscription with one consumer (Jakarta Messaging 3.1, 8.3.3).
    DURABLE(3),
    /// A subscription of several consumers, which ends with the last of them.
    SHARED(4),
    /// A durable subscription of several consumers.
    SHARED_DURABLE(5);

    private final int number;

    ConsumerRole(int number) {
        this.number = number;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// True if messages come from a queue.
    public boolean isQueue() {
        return this == QUEUE || this == BROWSER;
    }

    /// True if the subscription stays when its last consumer has gone.
    public boolean isDurable() {
        return this == DURABLE || this == SHARED_DURABLE;
    }

    public static ConsumerRole read(WireReader in) {
        int number = in.readUnsignedByte();
        for (ConsumerRole role : values()) {
            if (role.number == number) {
                return role;
            }
        }
        throw new WireException(
                ErrorCode.MALFORMED_FRAME,
                "Consume: expected a role from 1 to " + values().length + ", found " + number);
    }
}
