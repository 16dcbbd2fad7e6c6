package winnow.wire;

import org.jspecify.annotations.Nullable;

/// Reason for which a peer refused a request or closed a connection. The number travels, the name
/// does not.
public enum ErrorCode {
    /// No error: an orderly end.
    NONE(0),
    /// The bytes are not a frame of this protocol.
    MALFORMED_FRAME(1),
    /// A frame is longer than the limit in force.
    FRAME_TOO_LARGE(2),
    /// The peer speaks no version that this side speaks.
    UNSUPPORTED_VERSION(3),
    /// The peer did not finish the handshake in time.
    HANDSHAKE_TIMEOUT(4),
    /// Credentials are missing or wrong.
    AUTHENTICATION_FAILED(5),
    /// The user may not do this.
    NOT_AUTHORIZED(6),
    /// A known frame at a time or from a side where it has no meaning.
    UNEXPECTED_FRAME(7),
    /// The selector or correlation-ID filter does not follow its grammar.
    INVALID_SELECTOR(8),
    /// The destination's name or kind is not usable.
    INVALID_DESTINATION(9),
    /// A publish names a destination handle that is not open.
    UNKNOWN_HANDLE(10),
    /// A request names a subscription that does not exist.
    UNKNOWN_SUBSCRIPTION(11),
    /// An id that is already in use on this connection.
    DUPLICATE_ID(12),
    /// A configured limit would be exceeded; the text names it.
    LIMIT_EXCEEDED(13),
    /// The peer sent more than its credit allowed.
    FLOW_CONTROL_VIOLATION(14),
    /// Nothing arrived for two heartbeat intervals.
    HEARTBEAT_TIMEOUT(15),
    /// The broker is stopping.
    SHUTTING_DOWN(16),
    /// The request is legal, but this broker does not offer it.
    NOT_SUPPORTED(17),
    /// A fault of this side; its log tells more.
    INTERNAL_ERROR(18),
    /// Another connection uses the client identifier.
    CLIENT_ID_IN_USE(19),
    /// A request names a session that does not exist.
    UNKNOWN_SESSION(20),
    /// The subscription has a consumer, or is of another kind or for another topic.
    SUBSCRIPTION_IN_USE(21),
    /// The destination has a consumer.
    DESTINATION_IN_USE(22),
    /// The store takes no messages: its disk is full or has failed.
    STORE_UNAVAILABLE(23),
    /// The transaction was rolled back, because something in it was refused; the text says what.
    ROLLED_BACK(24),
    /// No distributed transaction of that name is prepared.
    UNKNOWN_TRANSACTION(25),
    /// A distributed transaction of that name is prepared already.
    DUPLICATE_TRANSACTION(26),
    /// The broker does not know any more whether it was stored or committed.
    IN_DOUBT(27),
    /// This broker does not lead its cluster; the text names the address of the one that does, if
    /// it is known.
    NOT_ACTIVE(28),
    /// The time of the token is over by which the client logged in; it may come with another one.
    CREDENTIALS_EXPIRED(29),
    /// The credentials may be right, but cannot be checked at the moment, for example because the
    /// directory that has to say so cannot be asked.
    AUTHENTICATION_UNAVAILABLE(30);

    private static final ErrorCode[] BY_NUMBER = values();

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// The code with that number, or null if a newer peer sent one that is not known here.
    public static @Nullable ErrorCode ofNumber(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }
}
