package winnow.broker.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.RefusedException;
import winnow.broker.fault.LogQuota;
import winnow.wire.ErrorCode;

/// Tells the log what happens to one connection, at a limited rate for all together.
final class ConnectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /// Of all connections together.
    private static final LogQuota QUOTA = new LogQuota();

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

    /// The broker closes it. Failed authentications are logged where they are counted.
    void onClosing(ErrorCode code, String message) {
        if (code == ErrorCode.SHUTTING_DOWN || code == ErrorCode.AUTHENTICATION_FAILED) {
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
