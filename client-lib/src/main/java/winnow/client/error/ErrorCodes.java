package winnow.client.error;

/// Values of `JMSException.getErrorCode`, so that a program can tell failures apart without reading
/// their text.
///
/// A lost connection comes back by itself. If an exception listener gets CONNECTION_LOST,
/// HEARTBEAT_TIMEOUT, SHUTTING_DOWN, CONNECT_FAILED or the code of a broken protocol, it does not:
/// the connection is of no use any more.
public final class ErrorCodes {
    /// Nobody answers there: the name is unknown, the connection was refused or closed at once, or
    /// no socket could be opened. The text names each address with its reason.
    public static final String CONNECT_FAILED = "CONNECT_FAILED";

    /// Another kind of server answers there; the text says which.
    public static final String NOT_A_BROKER = "NOT_A_BROKER";

    /// TLS does not come about: the broker's certificate is not trusted, or one side does not speak
    /// TLS; the text says what is wrong and what to do.
    public static final String TLS_FAILED = "TLS_FAILED";

    /// The broker did not answer in time. Whether it did what was asked is not known.
    public static final String TIMED_OUT = "TIMED_OUT";

    /// A message could not be sent within `sendTimeout`, because the broker gave no credit or did
    /// not read. It was not sent.
    public static final String SEND_BLOCKED = "SEND_BLOCKED";

    /// The waiting thread was interrupted. Whether the broker did what was asked is not known.
    public static final String INTERRUPTED = "INTERRUPTED";

    /// An established connection is gone.
    public static final String CONNECTION_LOST = "CONNECTION_LOST";

    /// The application closed the connection meanwhile.
    public static final String CONNECTION_CLOSED = "CONNECTION_CLOSED";

    /// The API offers it and this version, or this broker, does not.
    public static final String NOT_SUPPORTED = "NOT_SUPPORTED";

    /// Nothing arrived for two heartbeat intervals: the connection is lost.
    public static final String HEARTBEAT_TIMEOUT = "HEARTBEAT_TIMEOUT";

    /// The broker stopped: the connection is lost.
    public static final String SHUTTING_DOWN = "SHUTTING_DOWN";

    /// User name and password, or the token, are missing or wrong.
    public static final String AUTHENTICATION_FAILED = "AUTHENTICATION_FAILED";

    /// The time of the token is over by which the client logged in: the connection is lost.
    public static final String CREDENTIALS_EXPIRED = "CREDENTIALS_EXPIRED";

    /// The credentials may be right: the broker could not check them, for example because it could
    /// not ask the directory.
    public static final String AUTHENTICATION_UNAVAILABLE = "AUTHENTICATION_UNAVAILABLE";

    /// The user may not do this.
    public static final String NOT_AUTHORIZED = "NOT_AUTHORIZED";

    /// Another connection uses the client identifier.
    public static final String CLIENT_ID_IN_USE = "CLIENT_ID_IN_USE";

    /// A selector or correlation-ID filter does not follow its grammar.
    public static final String INVALID_SELECTOR = "INVALID_SELECTOR";

    /// The destination's name or kind is not usable.
    public static final String INVALID_DESTINATION = "INVALID_DESTINATION";

    /// A limit of the broker or the connection would be exceeded; the text names it.
    public static final String LIMIT_EXCEEDED = "LIMIT_EXCEEDED";

    /// A message, or what is said when connecting, is longer than the broker accepts.
    public static final String FRAME_TOO_LARGE = "FRAME_TOO_LARGE";

    /// Client and broker speak no common version of the protocol.
    public static final String UNSUPPORTED_VERSION = "UNSUPPORTED_VERSION";

    /// The broker gave up waiting for the client's part of the handshake.
    public static final String HANDSHAKE_TIMEOUT = "HANDSHAKE_TIMEOUT";

    /// The other side broke the protocol: bytes that are no frame.
    public static final String MALFORMED_FRAME = "MALFORMED_FRAME";

    /// The other side broke the protocol: a frame out of place.
    public static final String UNEXPECTED_FRAME = "UNEXPECTED_FRAME";

    /// The other side broke the protocol: a destination that is not open.
    public static final String UNKNOWN_HANDLE = "UNKNOWN_HANDLE";

    /// There is no subscription of that name.
    public static final String UNKNOWN_SUBSCRIPTION = "UNKNOWN_SUBSCRIPTION";

    /// The other side broke the protocol: an id that is in use.
    public static final String DUPLICATE_ID = "DUPLICATE_ID";

    /// The other side broke the protocol: more was sent than credit allowed.
    public static final String FLOW_CONTROL_VIOLATION = "FLOW_CONTROL_VIOLATION";

    /// The other side broke the protocol: a session that does not exist.
    public static final String UNKNOWN_SESSION = "UNKNOWN_SESSION";

    /// The subscription has a consumer, or consumers that differ in topic or selector.
    public static final String SUBSCRIPTION_IN_USE = "SUBSCRIPTION_IN_USE";

    /// The destination has consumers.
    public static final String DESTINATION_IN_USE = "DESTINATION_IN_USE";

    /// The broker cannot store messages, because its disk is full or has failed.
    public static final String STORE_UNAVAILABLE = "STORE_UNAVAILABLE";

    /// The broker has rolled a transaction back; the text says why.
    public static final String ROLLED_BACK = "ROLLED_BACK";

    /// No distributed transaction of that name is prepared.
    public static final String UNKNOWN_TRANSACTION = "UNKNOWN_TRANSACTION";

    /// A distributed transaction of that name is prepared already.
    public static final String DUPLICATE_TRANSACTION = "DUPLICATE_TRANSACTION";

    /// It is not known whether a message was published or a transaction has taken effect, because
    /// the connection was lost meanwhile, and the broker does not know either.
    public static final String IN_DOUBT = "IN_DOUBT";

    /// The broker does not lead its cluster; the text names the address of the one that does, if it
    /// is known.
    public static final String NOT_ACTIVE = "NOT_ACTIVE";

    /// A fault of the broker; its log tells more.
    public static final String INTERNAL_ERROR = "INTERNAL_ERROR";

    private ErrorCodes() {}
}
