package winnow.loadgen.machine;

/// A machine with a worker. Immutable.
///
/// @param worker address of the worker
/// @param roles `publishes`, `subscribes` or both
/// @param machine its processors and memory
/// @param here true if it is the coordinator's; false in files of versions that did not say
public record WorkerMachine(String worker, String roles, Machine machine, boolean here) {}
