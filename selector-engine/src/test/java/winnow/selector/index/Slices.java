package winnow.selector.index;

import winnow.selector.index.api.MatchSink;
import winnow.selector.slot.SlotValues;

/// Matches as a loop does whose turn is always over: in as many slices as there can be.
public final class Slices {

    private Slices() {}

    /// One whose matches are stopped wherever they can be.
    public static MatchScratch matching() {
        return new MatchScratch(done -> 0);
    }

    /// Matches to the end.
    ///
    /// @param matching of [#matching]
    /// @param between called between two slices
    /// @return how many slices there were
    public static <S> int match(
            SelectorIndex<S> index,
            SlotValues values,
            MatchScratch matching,
            MatchSink<? super S> sink,
            Runnable between) {
        boolean ended = index.begin(values, matching, sink);
        int slices = 1;
        while (!ended) {
            between.run();
            ended = matching.resume();
            slices++;
        }
        return slices;
    }

    public static <S> int match(
            SelectorIndex<S> index,
            SlotValues values,
            MatchScratch matching,
            MatchSink<? super S> sink) {
        return match(index, values, matching, sink, () -> {});
    }
}
