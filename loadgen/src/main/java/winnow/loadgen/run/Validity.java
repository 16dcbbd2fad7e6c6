package winnow.loadgen.run;

import org.jspecify.annotations.Nullable;

/// The rules of the FioranoMQ paper, section 3.2, applied to one point. Immutable.
///
/// The paper has a machine for each role. Where broker and load share a machine the server cannot
/// be fully loaded while the client keeps below 75 %; the model is then fitted to broker CPU time
/// per message, which is what a fully loaded CPU would show.
///
/// @param brokerShare CPU time of the broker as a share of all processors; not a number if unknown
/// @param compilerShare that of its compilers, which brokerShare leaves out; not a number if
///   unknown
/// @param clientShare CPU time of the workers as a share of all processors
/// @param machineShare all processors in use, whoever uses them
/// @param memoryShare memory in use
public record Validity(
        double brokerShare,
        double compilerShare,
        double clientShare,
        double machineShare,
        double memoryShare) {

    /// "A fully loaded server must have a CPU utilization of at least 98%."
    public static final double SATURATED = 0.98;

    /// "They must not run at a CPU load larger than 75%", and likewise the server's memory.
    public static final double BOTTLENECK = 0.75;

    /// @param processors of the machine that broker and workers share
    public static Validity of(Measurement measurement, int processors) {
        var capacity = measurement.seconds() * processors;
        return new Validity(
                known(measurement.brokerCpuSeconds()) / capacity,
                known(measurement.compilerCpuSeconds()) / capacity,
                measurement.clientCpuSeconds() / capacity,
                measurement.machineBusyShare(),
                measurement.memoryShare());
    }

    /// The server's CPU was the limit.
    public boolean brokerSaturated() {
        return brokerShare >= SATURATED;
    }

    /// The clients' CPU may have been the limit.
    public boolean clientSaturated() {
        return clientShare > BOTTLENECK;
    }

    /// The machine that both share was the limit.
    public boolean machineSaturated() {
        return machineShare >= SATURATED;
    }

    /// Memory may have been the limit.
    public boolean memorySaturated() {
        return memoryShare > BOTTLENECK;
    }

    private static double known(@Nullable Double seconds) {
        return seconds == null ? Double.NaN : seconds;
    }
}
