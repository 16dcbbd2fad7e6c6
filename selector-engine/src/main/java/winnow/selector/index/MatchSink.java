package winnow.selector.index;

/// Receives the matches of one message.
@FunctionalInterface
public interface MatchSink<S> {

    /// Called once per matching subscriber. Must not match with the same [MatchScratch] again.
    void onMatch(S subscriber);
}
