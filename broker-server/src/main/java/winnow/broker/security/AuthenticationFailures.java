package winnow.broker.security;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.KeyedQuota;
import winnow.broker.fault.LogQuota;
import winnow.broker.permission.AuditEvent;
import winnow.wire.Printable;

/// Counts failed authentications and logs some of each address, so that an operator sees who tries,
/// and nobody can hide others or fill the log. Passwords are not known here. Thread-safe.
final class AuthenticationFailures {
    private static final Logger LOG = LoggerFactory.getLogger(AuthenticationFailures.class);

    /// Lines about all addresses together; whoever has many may not write without end.
    private static final int LINES_PER_MINUTE = 200;

    private final LongAdder failures;
    private final KeyedQuota byAddress = new KeyedQuota();
    private final LogQuota all =
            new LogQuota(System::nanoTime, LINES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));

    /// Failures that were not logged since the last line.
    private final LongAdder omitted = new LongAdder();

    AuthenticationFailures(LongAdder failures) {
        this.failures = failures;
    }

    /// @param user as the client gave it, empty if it gave none or it is not known
    void onFailure(String address, String user, String why) {
        failures.increment();
        if (byAddress.take(AddressBlock.of(address)) < 0 || all.take() < 0) {
            omitted.increment();
            return;
        }
        long before = omitted.sumThenReset();
        String leftOut = before == 0 ? "" : " (" + before + " more were not logged)";
        AuditEvent.of("login-refused")
                .by(user, address)
                .with("omitted", before == 0 ? "" : String.valueOf(before))
                .log(why + leftOut);
        LOG.atWarn()
                .addKeyValue("user", Printable.of(user))
                .addKeyValue("address", address)
                .log(
                        "Authentication{} from {} failed: {}{}",
                        user.isEmpty() ? "" : " of user '" + Printable.of(user) + "'",
                        address,
                        Printable.line(Printable.message(why)),
                        leftOut);
    }
}
