package winnow.broker.session;

import winnow.broker.matching.RefusedException;
import winnow.wire.ErrorCode;

/// The refusal of what would go beyond a limit of one connection.
final class ConnectionLimit {
    private ConnectionLimit() {}

    /// @param what is limited, in the plural
    /// @param setting the broker's setting that has the limit
    /// @param found how many there would be
    static RefusedException exceeded(String what, String setting, int limit, long found) {
        return new RefusedException(
                ErrorCode.LIMIT_EXCEEDED,
                "expected at most %d %s on one connection (%s), found %d; close some, use another"
                                .formatted(limit, what, setting, found)
                        + " connection or raise the broker's setting");
    }
}
