package winnow.broker.routing;

import winnow.broker.matching.RefusedException;

/// Takes the outcome of one match, on the loop that matches.
public interface MatchDone {
    /// All recipients of the message are found.
    ///
    /// @param result see [MatchResult] for how long it is valid
    void onMatched(MatchResult result);

    /// The message could not be matched, or [#onMatched] failed.
    ///
    /// @param fault a [RefusedException] if nobody gets the message; otherwise what is thrown on
    ///   goes to whoever began the match if it was not sliced, else it closes the producer's
    ///   connection
    void onFault(Throwable fault);

    /// The refusal that a fault is; any other is thrown on.
    static RefusedException refusal(Throwable fault) {
        return switch (fault) {
            case RefusedException refused -> refused;
            case RuntimeException other -> throw other;
            case Error error -> throw error;
            default -> throw new IllegalStateException("expected an unchecked fault", fault);
        };
    }
}
