package winnow.selector.index;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.MatchPause;
import winnow.selector.index.match.Matching;

/// The scratch space of matching, so that a match allocates nothing. Owned by one event loop, which
/// uses one for all its topics, but for a match that was stopped ([MatchPause]): it needs its own
/// until it has ended. It also counts what matching did; the counts only grow.
public final class MatchScratch {

    final Matching matching;

    /// For matches that go to their end.
    public MatchScratch() {
        this(null);
    }

    /// @param pause stops those that may be stopped ([SelectorIndex#begin]), if there is one
    public MatchScratch(@Nullable MatchPause pause) {
        matching = new Matching(pause);
    }

    /// Distinct selectors that an access key led to, but for those that a row of tests or a bitmap
    /// told not to match.
    public long candidates() {
        return matching.candidates();
    }

    /// Candidates whose formula had to be tested.
    public long tests() {
        return matching.tests();
    }

    /// Calls of sinks.
    public long matches() {
        return matching.matches();
    }

    /// Goes on with a match that was stopped. Something is done, whatever the pause says.
    ///
    /// @return whether it has ended
    public boolean resume() {
        return matching.resume();
    }

    /// Gives up a match that was stopped, and forgets the sink and the index of the last one, which
    /// are otherwise kept until the next.
    public void abandon() {
        matching.abandon();
    }
}
