package winnow.wire;

/// Constants of the protocol (docs/PROTOCOL.md).
public final class Protocol {
    /// First four bytes that a client sends: `WNOW` in ASCII. Followed by the major and the minor
    /// version, one byte each.
    public static final int MAGIC = 0x574E4F57;

    /// Bytes of the preamble: magic, major, minor.
    public static final int PREAMBLE_BYTES = 6;

    /// Version that this library speaks.
    public static final int MAJOR_VERSION = 1;

    /// Minor version; a peer ignores capabilities it does not know.
    public static final int MINOR_VERSION = 0;

    /// Capability bit: the side knows sessions, queues and durable subscriptions
    /// ([winnow.wire.frame.SessionFrame]).
    public static final long STORED = 1;

    /// Capability bit: the side knows messages in parts ([winnow.wire.frame.PublishInParts],
    /// [winnow.wire.frame.DeliveryInParts]). Needs [#STORED].
    public static final long PARTS = 2;

    /// Capability bit: the side knows how consumers give back what they were sent ahead
    /// ([winnow.wire.frame.Recall], [winnow.wire.frame.Reject]) and what became of a delivery
    /// ([winnow.wire.frame.Mark]). Needs [#STORED].
    public static final long RECALL = 4;

    /// Capability bit: the side knows how a client comes back after its connection was lost
    /// ([Resumption], [winnow.wire.frame.AskCommit], [winnow.wire.frame.Publish#NUMBERED]). Needs
    /// [#STORED]. [winnow.wire.frame.ControlFrame.Hello] and
    /// [winnow.wire.frame.ControlFrame.Welcome] with it are longer.
    public static final long RESUME = 8;

    /// So many messages may come to a consumer beyond its credit that go past others which it has,
    /// because of their priority.
    public static final int PASSING_MESSAGES = 16;

    /// So many bytes of such messages may come, and the rest of the last one.
    public static final int PASSING_BYTES = 256 * 1024;

    /// Longest part of a message, and longest block in front of its parts, in bytes.
    public static final int MAX_PART_BYTES = 1 << 20;

    /// Beginning of the names of temporary destinations, before the connection id.
    public static final String TEMPORARY_PREFIX = "winnow.temporary/";

    /// Beginning of the names of the broker's own queues of delayed messages, before the name of
    /// their topic. Clients may not use them.
    public static final String DELAYED_PREFIX = "winnow.delayed/";

    /// Width of the length field in front of each frame; it counts the bytes behind itself.
    public static final int LENGTH_BYTES = 4;

    /// Largest frame that a broker accepts before it has authenticated the peer, in bytes.
    public static final int MAX_HANDSHAKE_FRAME_BYTES = 8 * 1024;

    /// Default limit of one frame, in bytes; `Welcome` tells the client the limit in force.
    public static final int DEFAULT_MAX_FRAME_BYTES = 16 * 1024 * 1024;

    /// Largest id of a subscription, consumer, session and destination handle: they index arrays at
    /// the peer.
    public static final int MAX_ID = 1 << 16;

    private Protocol() {}
}
