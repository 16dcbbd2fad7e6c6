package winnow.broker.metrics;

import java.util.concurrent.atomic.LongAdder;

/// Counts what became of credentials, and the time of checks that ask others. Thread-safe.
public final class AuthenticationCounters {
    /// Failed authentications.
    public final LongAdder failures = new LongAdder();

    /// Times until a directory had answered all questions about a user.
    public final WaitTimes directory = new WaitTimes();

    /// Times from the arrival of a token to the result.
    public final WaitTimes tokens = new WaitTimes();
}
