package winnow.selector.index.api;

/// Lets a match stop now and then, so that it does not hold its thread for long.
@FunctionalInterface
public interface MatchPause {
    /// Bytes of a string that a pattern goes through in one unit of work.
    int BYTES_PER_UNIT = 16;

    /// Asked whenever as much was done as it permitted last. A unit of work is a candidate, a test
    /// of a value, a subscriber, or [#BYTES_PER_UNIT]: some 20 ns, and several times that where
    /// memory is slow.
    ///
    /// @param done how many units this match has done so far; 0 or more
    /// @return how many units may follow about; 0 stops the match until
    ///   [winnow.selector.index.MatchScratch#resume]
    int unitsAllowed(long done);
}
