package winnow.client.transport.endpoint;

import java.util.concurrent.TimeUnit;

/// Number and pace of further attempts to connect if no host answers. Immutable.
///
/// The pause before a round is random, between nothing and a longest pause that grows from round to
/// round (full jitter): clients that lost the same broker do not come back all at once.
///
/// In the first 60 rounds, some half a minute, no pause exceeds a second: a broker that is started
/// again is mostly there by then, and threads wait for it.
///
/// @param rounds how many there may be, and until when
/// @param delayMillis longest pause before the second round
/// @param multiplier by which the longest pause grows with each round, at least 1
/// @param maxDelayMillis what the longest pause does not exceed
/// @param warnAfter rounds after which a warning is logged, 0 for none
/// @param randomize whether hosts and their addresses are tried in random order
/// @param returning whether the client was connected before: then an identifier that is in use may
///   be that of its own connection, whose end the broker has not noticed
public record RetryTerms(
        RoundLimit rounds,
        int delayMillis,
        double multiplier,
        int maxDelayMillis,
        int warnAfter,
        boolean randomize,
        boolean returning) {
    private static final int SHORT_ROUNDS = 60;

    private static final int MAX_SHORT_MILLIS = 1000;

    /// Terms of a client that was not connected before.
    public RetryTerms(
            RoundLimit rounds,
            int delayMillis,
            double multiplier,
            int maxDelayMillis,
            int warnAfter,
            boolean randomize) {
        this(rounds, delayMillis, multiplier, maxDelayMillis, warnAfter, randomize, false);
    }

    /// The same terms for a client that was connected before.
    ///
    /// @param most rounds at most, -1 for no limit
    public RetryTerms returning(int most) {
        int repeats = most < 0 ? -1 : Math.max(0, most - 1);
        return new RetryTerms(
                RoundLimit.of(repeats),
                delayMillis,
                multiplier,
                maxDelayMillis,
                warnAfter,
                randomize,
                true);
    }

    /// The same terms for one round only.
    RetryTerms once() {
        return new RetryTerms(
                RoundLimit.of(0), delayMillis, multiplier, maxDelayMillis, warnAfter, randomize);
    }

    /// The longest pause after so many rounds.
    public long longestPauseNanos(int done) {
        int most =
                done > SHORT_ROUNDS ? maxDelayMillis : Math.min(maxDelayMillis, MAX_SHORT_MILLIS);
        double grown = delayMillis * Math.pow(multiplier, done - 1.0);
        return TimeUnit.MILLISECONDS.toNanos((long) Math.min(most, grown));
    }
}
