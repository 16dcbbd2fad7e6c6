package winnow.loadgen.machine;

/// Everything that is read of one worker at one instant, by its own machine. Immutable.
///
/// @param nanoTime when, by the clock of its machine, which no other is compared with
/// @param sent messages that its publishers have sent in the point that is open
/// @param delivered copies that its subscribers have got
/// @param cpuNanos CPU time of the process
/// @param threads of the process; unknown if nobody asked
/// @param host the whole machine
/// @param network the machine's network
public record WorkerLook(
        long nanoTime,
        long sent,
        long delivered,
        long cpuNanos,
        ThreadUse threads,
        HostUse host,
        NetworkUse network) {

    /// Seconds since an earlier look.
    public double secondsSince(WorkerLook earlier) {
        return (nanoTime - earlier.nanoTime) / 1e9;
    }
}
