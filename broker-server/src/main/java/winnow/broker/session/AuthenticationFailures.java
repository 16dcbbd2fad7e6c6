package winnow.broker.session;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.broker.permission.AuditEvent;
import winnow.wire.Printable;

/// Counts failed authentications and logs some of them, so that an operator sees who tries and
/// nobody can fill the log. Passwords are not known here. Thread-safe.
final class AuthenticationFailures {
    private static final Logger LOG = LoggerFactory.getLogger(AuthenticationFailures.class);

    private final LongAdder failures;
    private final LogQuota quota = new LogQuota();

    AuthenticationFailures(LongAdder failures) {
        this.failures = failures;
    }

    /// @param user as the client gave it, empty if it gave none or it is not known
    void onFailure(String address, String user, String why) {
        failures.increment();
        quota.log(leftOut -> {
            AuditEvent.of("login-refused").by(user, address).log(why + leftOut);
            LOG.atWarn()
                    .addKeyValue("user", Printable.of(user))
                    .addKeyValue("address", address)
                    .log(
                            "Authentication{} from {} failed: {}{}",
                            user.isEmpty() ? "" : " of user '" + Printable.of(user) + "'",
                            address,
                            Printable.of(why),
                            leftOut);
        });
    }
}
