package winnow.loadgen.machine;

/// Use of a machine with a worker between two looks. Immutable.
///
/// @param worker address of the worker
/// @param workerShare CPU time of the worker as a share of all processors
/// @param busyShare all processors in use, whoever uses them; not a number if unknown
/// @param stolenShare time of all processors that the hypervisor gave to others
/// @param memoryShare memory in use
/// @param receivedBytesPerSecond of its network
/// @param sentBytesPerSecond of its network
public record MachineUse(
        String worker,
        double workerShare,
        double busyShare,
        double stolenShare,
        double memoryShare,
        double receivedBytesPerSecond,
        double sentBytesPerSecond) {

    /// The paper's bound of processors in use.
    public static final double PROCESSORS = 0.75;

    public static MachineUse between(
            String worker, int processors, WorkerLook before, WorkerLook after) {
        var seconds = after.secondsSince(before);
        return new MachineUse(
                worker,
                (after.cpuNanos() - before.cpuNanos()) / 1e9 / seconds / processors,
                after.host().busyShareSince(before.host()),
                after.host().stolenShareSince(before.host()),
                after.host().memoryShare(),
                (after.network().receivedBytes() - before.network().receivedBytes()) / seconds,
                (after.network().sentBytes() - before.network().sentBytes()) / seconds);
    }
}
