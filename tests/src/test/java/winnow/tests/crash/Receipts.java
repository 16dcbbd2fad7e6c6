package winnow.tests.crash;

import java.util.HashSet;
import java.util.Set;

/// Number of times that one message has arrived at one outlet. Thread-safe.
final class Receipts {
    private static final int NEVER = -1;
    private static final int FOREVER = Integer.MAX_VALUE;

    private final Set<Long> copies = HashSet.newHashSet(1);
    private int arrivals;
    private String first = "";
    private int unmarked;

    /// Last epoch in which it must not come again.
    private int settledUntil = NEVER;

    /// True if it has not arrived.
    synchronized boolean isNew() {
        return arrivals == 0;
    }

    /// It arrives.
    ///
    /// @return what is wrong with that, empty if nothing is
    synchronized String add(Arrival arrival, int epoch) {
        arrivals++;
        if (arrivals == 1) {
            first = " (first as " + arrival.id() + ")";
        }
        copies.add(arrival.copy());
        if (!arrival.redelivered()) {
            unmarked++;
        }
        if (epoch <= settledUntil) {
            return settledUntil == FOREVER
                    ? "comes again after its acknowledgement was confirmed" + first
                    : "comes again after it was acknowledged, and nobody was killed";
        }
        if (unmarked > 1) {
            return "comes again without a mark" + first;
        }
        return copies.size() > 1 ? "comes in several copies " + copies : "";
    }

    synchronized void settle() {
        settledUntil = FOREVER;
    }

    synchronized void settleUntilAfter(int epoch) {
        settledUntil = Math.max(settledUntil, epoch);
    }

    synchronized Set<Long> copies() {
        return Set.copyOf(copies);
    }
}
