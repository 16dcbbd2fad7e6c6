package winnow.selector.index.api;

/// Receives the matches of one message.
@FunctionalInterface
public interface MatchSink<S> {

    /// Called once per matching subscriber. Must not match with the same
    /// [winnow.selector.index.MatchScratch] again.
    void onMatch(S subscriber);
}
