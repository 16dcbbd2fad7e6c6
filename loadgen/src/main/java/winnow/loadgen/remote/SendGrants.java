package winnow.loadgen.remote;

import java.util.ArrayList;
import java.util.List;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.SharedCounters;

/// The messages that the publishers of one worker may send, within the bound of copies under way
/// from all machines. The counters of the coordinator lag behind, by less than was delivered
/// meanwhile; so what is granted to all, times the copies of each message, minus what has been
/// delivered never exceeds the bound. Each worker's takes at most its publishers' share of what is
/// free, so even simultaneous grants fit.
///
/// Owned by the thread that grants.
final class SendGrants {

    private final Command.Open order;
    private final SharedCounters counters;
    private final int[] publishers;

    /// @param counters of all machines, in which it writes what is reserved for these publishers
    SendGrants(Command.Open order, SharedCounters counters) {
        this.order = order;
        this.counters = counters;
        publishers = order.publishers().numbers(order.point().publishers()).toArray();
    }

    /// Grants what is free now. A publisher that does not use what it has gets no more: at most its
    /// equal share of the whole bound.
    ///
    /// @return messages that each may have sent in all; empty without a bound
    List<Long> more() {
        var point = order.point();
        if (!order.isBounded()) {
            return List.of();
        }
        var shareCopies = (long) point.matching() * point.publishers();
        var delivered = counters.deliveredToFirst(point.receivers());
        var free = order.maxInFlight() - counters.reserved() * point.matching() + delivered;
        var share = Math.max(0, free / shareCopies);
        var most = order.maxInFlight() / shareCopies;
        var all = new ArrayList<Long>();
        for (var publisher : publishers) {
            var granted = counters.reserved(publisher);
            var unused = granted - counters.sent(publisher);
            var more = Math.min(share, Math.max(0, most - unused));
            counters.reserved(publisher, granted + more);
            all.add(granted + more);
        }
        return all;
    }
}
