package winnow.loadgen.worker;

import java.util.concurrent.locks.LockSupport;

/// One publisher's share of the copies that may be under way at a time.
///
/// A publisher reserves a batch of messages, sends them without looking, and reserves again. What
/// is reserved by all, times the copies of each message, minus what has been delivered never
/// exceeds the bound: each takes at most its share of what is free, so even simultaneous
/// reservations fit.
///
/// Owned by the publisher's thread.
interface FlightWindow {

    /// Number of messages that may be sent now; waits about a millisecond and returns 0 if none.
    ///
    /// @param sent messages this publisher has sent so far
    int reserve(long sent);

    /// The broker's flow control is the only bound.
    static FlightWindow unbounded() {
        return sent -> Integer.MAX_VALUE;
    }

    /// @param copiesPerMessage at least 1
    /// @param receivers subscribers that get messages, the first ones
    /// @param maxInFlight copies, at least publishers * copiesPerMessage
    static FlightWindow bounded(
            SharedCounters counters,
            int publisher,
            int publishers,
            int copiesPerMessage,
            int receivers,
            int maxInFlight) {
        return sent -> {
            var delivered = counters.deliveredToFirst(receivers);
            var free = maxInFlight - counters.reserved() * copiesPerMessage + delivered;
            var share = (int) Math.max(0, free / ((long) copiesPerMessage * publishers));
            if (share == 0) {
                LockSupport.parkNanos(WAIT_NANOS);
                return 0;
            }
            counters.reserved(publisher, sent + share);
            return share;
        };
    }

    /// Somebody else reserves for the publisher.
    static FlightWindow granted(SharedCounters counters, int publisher) {
        return sent -> {
            var share = Math.clamp(counters.reserved(publisher) - sent, 0, Integer.MAX_VALUE);
            if (share == 0) {
                LockSupport.parkNanos(WAIT_NANOS);
            }
            return share;
        };
    }

    /// 1 ms: a window of 10,000 copies lasts 33 ms at 300,000 copies a second, the most that a
    /// broker measured with a window reaches, so it never runs dry; and waiting costs the client
    /// less than 1 % of a core per publisher.
    long WAIT_NANOS = 1_000_000;
}
