package winnow.loadgen.worker;

import java.util.ArrayList;
import java.util.List;

/// What one publisher has sent, by id. Owned by the thread that learns that a message is sent.
final class SentTally {
    private final int publisher;
    private final SharedCounters counters;
    private final List<Integer> ids;
    private final long[] countById;
    private final long[] checksumById;
    private long sent;

    /// @param ids the ids that its messages carry in turn
    SentTally(int publisher, List<Integer> ids, SharedCounters counters) {
        this.publisher = publisher;
        this.counters = counters;
        this.ids = ids;
        countById = new long[ids.getLast() + 1];
        checksumById = new long[ids.getLast() + 1];
    }

    /// Counts a message that is sent.
    ///
    /// @param position its place among the publisher's messages
    void add(int position, long timestampMillis) {
        var id = ids.get(position % ids.size());
        countById[id]++;
        checksumById[id] += Tally.scramble(timestampMillis);
        counters.sent(publisher, ++sent);
    }

    /// What was sent, indexed by id.
    List<Tally> byId() {
        var tallies = new ArrayList<Tally>();
        for (var id = 0; id < countById.length; id++) {
            tallies.add(new Tally(countById[id], checksumById[id]));
        }
        return tallies;
    }
}
