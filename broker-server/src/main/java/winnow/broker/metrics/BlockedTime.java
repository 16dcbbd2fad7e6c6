package winnow.broker.metrics;

/// Number of producers of one event loop that are blocked for one reason, and the time for which
/// they have been so far. The loop writes; all threads read.
final class BlockedTime {
    private volatile State state = new State(0, 0, 0, 0);

    /// @param blocked producers that are blocked
    /// @param blocks times that one was
    /// @param nanos time until `sinceNanos`, summed over producers
    private record State(int blocked, long blocks, long nanos, long sinceNanos) {
        long nanosAt(long nowNanos) {
            return nanos + blocked * Math.max(0, nowNanos - sinceNanos);
        }
    }

    void onBlocked(long nowNanos) {
        State before = state;
        state =
                new State(
                        before.blocked + 1, before.blocks + 1, before.nanosAt(nowNanos), nowNanos);
    }

    void onFreed(long nowNanos) {
        State before = state;
        state = new State(before.blocked - 1, before.blocks, before.nanosAt(nowNanos), nowNanos);
    }

    int blocked() {
        return state.blocked;
    }

    long blocks() {
        return state.blocks;
    }

    long nanos(long nowNanos) {
        return state.nanosAt(nowNanos);
    }
}
