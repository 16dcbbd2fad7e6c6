package winnow.loadgen.worker;

import java.util.ArrayList;
import java.util.List;

/// Counts what one publisher has sent, by target. Owned by the thread that learns of each send.
final class SentTally {
    private final int publisher;
    private final SharedCounters counters;
    private final long[] countByTarget;
    private final long[] checksumByTarget;
    private long sent;

    /// @param targets number of targets that its messages are for in turn
    SentTally(int publisher, int targets, SharedCounters counters) {
        this.publisher = publisher;
        this.counters = counters;
        countByTarget = new long[targets];
        checksumByTarget = new long[targets];
    }

    /// Counts a message that is sent.
    ///
    /// @param position its place among the publisher's messages
    void add(int position, long timestampMillis) {
        var target = position % countByTarget.length;
        countByTarget[target]++;
        checksumByTarget[target] += Tally.scramble(timestampMillis);
        counters.sent(publisher, ++sent);
    }

    /// Tallies of what was sent, indexed by target.
    List<Tally> byTarget() {
        var tallies = new ArrayList<Tally>();
        for (var target = 0; target < countByTarget.length; target++) {
            tallies.add(new Tally(countByTarget[target], checksumByTarget[target]));
        }
        return tallies;
    }
}
