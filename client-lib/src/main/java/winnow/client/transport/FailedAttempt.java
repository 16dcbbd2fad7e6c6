package winnow.client.transport;

import java.util.EnumSet;
import java.util.Set;
import winnow.wire.ErrorCode;

/// An attempt to connect that failed. Immutable.
///
/// @param address that was tried; empty if the host has none, or is written as one
record FailedAttempt(BrokerHost host, String address, TransportException reason) {
    private static final Set<LocalFailure> PASSING =
            EnumSet.of(
                    LocalFailure.CONNECT_FAILED,
                    LocalFailure.TIMED_OUT,
                    LocalFailure.CONNECTION_LOST);

    /// Said by a broker that is full, starts or stops, or does not lead its cluster.
    private static final Set<ErrorCode> PASSING_REFUSALS =
            EnumSet.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    ErrorCode.SHUTTING_DOWN,
                    ErrorCode.STORE_UNAVAILABLE,
                    ErrorCode.HANDSHAKE_TIMEOUT,
                    ErrorCode.NOT_ACTIVE);

    /// Whether the reason may pass by itself. A wrong password, a certificate that is not trusted,
    /// another kind of server or another version of the protocol stay until somebody changes them.
    ///
    /// @param returning whether the client was connected not long ago, and may be in its own way
    /// @param renewed whether the login reads a token, which may be renewed a bit late
    boolean isPassing(boolean returning, boolean renewed) {
        LocalFailure local = reason.local();
        if (returning
                && (reason.code() == ErrorCode.CLIENT_ID_IN_USE
                        || (renewed && reason.code() == ErrorCode.AUTHENTICATION_FAILED))) {
            return true;
        }
        return local == null
                ? PASSING_REFUSALS.contains(reason.code())
                : PASSING.contains(local) && !(reason.getCause() instanceof Error);
    }

    /// Address and reason, for people.
    ///
    /// @param hostKnown whether the reader knows which host is meant
    String text(boolean hostKnown) {
        if (reason.local() == null) {
            // The connection says who refused it.
            return String.valueOf(reason.getMessage());
        }
        String where = hostKnown ? address : host + (address.isEmpty() ? "" : " at " + address);
        return (where.isEmpty() ? "" : where + ": ") + reason.getMessage();
    }
}
