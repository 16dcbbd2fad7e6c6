package winnow.client.transport.connect;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;

/// An attempt to connect that failed. Immutable.
///
/// @param address that was tried; empty if the host has none, or is written as one
record FailedAttempt(BrokerHost host, String address, TransportException reason) {
    /// Time for which the broker may hold what belongs to a lost connection: until it has noticed
    /// the loss, and the default of `session.resume-timeout`.
    private static final long SOON_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static final Set<LocalFailure> PASSING =
            EnumSet.of(
                    LocalFailure.CONNECT_FAILED,
                    LocalFailure.TIMED_OUT,
                    LocalFailure.CONNECTION_LOST);

    /// Said by a broker that is full, starts or stops, cannot ask about the password, or does not
    /// lead its cluster.
    private static final Set<ErrorCode> PASSING_REFUSALS =
            EnumSet.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    ErrorCode.SHUTTING_DOWN,
                    ErrorCode.STORE_UNAVAILABLE,
                    ErrorCode.HANDSHAKE_TIMEOUT,
                    ErrorCode.AUTHENTICATION_UNAVAILABLE,
                    ErrorCode.NOT_ACTIVE);

    /// True if the reason may pass by itself. A wrong password, a certificate that is not trusted,
    /// another kind of server or another version of the protocol stay until somebody changes them.
    /// For a client that comes back, a fault of the broker passes, which may just be starting, and
    /// for a while its own client identifier may be in use by its lost connection.
    ///
    /// @param returning whether the client was connected before
    /// @param renewed whether the login reads a token, which may be renewed a bit late
    /// @param nanos that it has tried so far
    boolean isPassing(boolean returning, boolean renewed, long nanos) {
        LocalFailure local = reason.local();
        boolean soon =
                reason.code() == ErrorCode.CLIENT_ID_IN_USE
                        || (renewed && reason.code() == ErrorCode.AUTHENTICATION_FAILED);
        if (returning
                && ((soon && nanos < SOON_NANOS) || reason.code() == ErrorCode.INTERNAL_ERROR)) {
            return true;
        }
        return local == null
                ? PASSING_REFUSALS.contains(reason.code())
                : PASSING.contains(local) && !(reason.getCause() instanceof Error);
    }

    /// Tells if a broker has refused the client.
    boolean isRefusal() {
        return reason.local() == null;
    }

    /// Address and reason, for people.
    ///
    /// @param hostKnown whether the reader knows which host is meant
    String text(boolean hostKnown) {
        if (isRefusal()) {
            // The connection says who refused it.
            return String.valueOf(reason.getMessage());
        }
        String where = hostKnown ? address : host + (address.isEmpty() ? "" : " at " + address);
        return (where.isEmpty() ? "" : where + ": ") + reason.getMessage();
    }
}
