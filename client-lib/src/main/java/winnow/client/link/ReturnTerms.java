package winnow.client.link;

import java.util.EnumSet;
import java.util.Set;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;

/// Terms on which a lost connection comes back. Immutable.
///
/// @param maxRounds of attempts, -1 for no limit, 0 for none
/// @param initialDelayMillis pause before the first
/// @param requestTimeoutMillis longest wait of requests for it
/// @param sendTimeoutMillis longest wait of sends for it
public record ReturnTerms(
        int maxRounds, int initialDelayMillis, int requestTimeoutMillis, int sendTimeoutMillis) {
    /// One side does not follow the protocol: it would not the next time. Or the broker does not
    /// want the client: an operator has closed the connection, or its consumers are too slow.
    private static final Set<ErrorCode> FINAL =
            EnumSet.of(
                    ErrorCode.MALFORMED_FRAME,
                    ErrorCode.FRAME_TOO_LARGE,
                    ErrorCode.UNSUPPORTED_VERSION,
                    ErrorCode.UNEXPECTED_FRAME,
                    ErrorCode.UNKNOWN_HANDLE,
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    ErrorCode.DUPLICATE_ID,
                    ErrorCode.FLOW_CONTROL_VIOLATION,
                    ErrorCode.UNKNOWN_SESSION,
                    ErrorCode.NOT_AUTHORIZED,
                    ErrorCode.LIMIT_EXCEEDED,
                    ErrorCode.AUTHENTICATION_FAILED);

    /// Tells if the client tries to come back after that.
    boolean comesBackAfter(TransportException cause) {
        return maxRounds != 0 && !FINAL.contains(cause.code());
    }
}
