package winnow.broker.session;

import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.broker.matching.RefusedException;
import winnow.wire.ErrorCode;

/// Tells the log what happens to one connection, at a limited rate for all together.
final class ConnectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /// Of all connections together.
    private static final LogQuota QUOTA = new LogQuota();

    private static final Set<ErrorCode> QUIET =
            EnumSet.of(
                    ErrorCode.SHUTTING_DOWN,
                    ErrorCode.AUTHENTICATION_FAILED,
                    ErrorCode.AUTHENTICATION_UNAVAILABLE,
                    ErrorCode.CREDENTIALS_EXPIRED);

    private final Output output;

    ConnectionLog(Output output) {
        this.output = output;
    }

    void onConnected() {
        LOG.debug("{} connected", output);
    }

    /// A request was refused: a limit is something that an operator may change.
    void onRefused(RefusedException refusal) {
        if (refusal.code() == ErrorCode.LIMIT_EXCEEDED) {
            QUOTA.log(leftOut ->
                    LOG.atWarn()
                            .addKeyValue("connection", output)
                            .log(
                                    "{}: a request was refused: {}{}",
                                    output,
                                    refusal.getMessage(),
                                    leftOut));
        }
    }

    /// The broker closes it. Failed authentications are logged where they are counted; tokens end
    /// as they should.
    void onClosing(ErrorCode code, String message) {
        if (QUIET.contains(code)) {
            LOG.debug("{} is closed: {}: {}", output, code, message);
            return;
        }
        QUOTA.log(leftOut ->
                LOG.atWarn()
                        .addKeyValue("connection", output)
                        .addKeyValue("reason", code)
                        .log("{} is closed: {}: {}{}", output, code, message, leftOut));
    }

    /// The client has gone.
    ///
    /// @param why what the socket says
    void onLost(String why) {
        QUOTA.log(leftOut ->
                LOG.atInfo()
                        .addKeyValue("connection", output)
                        .log("{} is lost: {}{}", output, why, leftOut));
    }
}
