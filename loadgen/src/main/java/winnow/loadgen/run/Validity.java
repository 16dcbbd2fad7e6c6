package winnow.loadgen.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of the FioranoMQ paper, section 3.2, applied to one point. Immutable.
///
/// The paper has a machine for each role. Where broker and load share a machine the server cannot
/// be fully loaded while the client keeps below 75 %; the model is then fitted to broker CPU time
/// per message, which is what a fully loaded CPU would show.
///
/// | rule                           | machines apart                | one machine           |
/// |--------------------------------|-------------------------------|-----------------------|
/// | server's CPU at 98 % or more   | not seen from here: a note    | cannot hold: a note   |
/// | clients' CPU at 75 % or less   | this machine's: enforced      | cannot hold: a note   |
/// | memory at 75 % or less         | this machine's: enforced      | enforced              |
/// | others' CPU                    | counted as the clients'        | at most 25 %: enforced |
///
/// What is not known is not enforced.
///
/// @param sharedMachine whether the broker runs on the machine of the load
/// @param brokerShare CPU time of the broker as a share of all processors of this machine; not a
///   number if unknown
/// @param compilerShare that of its compilers, which brokerShare leaves out; not a number if
///   unknown
/// @param clientShare CPU time of the workers as a share of all processors
/// @param machineShare all processors in use, whoever uses them
/// @param stolenShare time of all processors that the hypervisor gave to others
/// @param memoryShare memory in use
public record Validity(
        boolean sharedMachine,
        double brokerShare,
        double compilerShare,
        double clientShare,
        double machineShare,
        double stolenShare,
        double memoryShare) {

    /// "A fully loaded server must have a CPU utilization of at least 98%."
    public static final double SATURATED = 0.98;

    /// "They must not run at a CPU load larger than 75%", and likewise the server's memory.
    public static final double BOTTLENECK = 0.75;

    /// What others may have of a machine that broker and load share.
    public static final double OTHERS = 1 - BOTTLENECK;

    private static final double PERCENT = 100;

    /// Of a point that was measured on the machine of the header.
    static Validity of(Measurement measurement, RunHeader header) {
        var capacity = measurement.seconds() * header.machine().processors();
        return new Validity(
                header.sharedMachine(),
                header.sharedMachine()
                        ? known(measurement.brokerCpuSeconds()) / capacity
                        : Double.NaN,
                header.sharedMachine()
                        ? known(measurement.compilerCpuSeconds()) / capacity
                        : Double.NaN,
                measurement.clientCpuSeconds() / capacity,
                measurement.machineBusyShare(),
                measurement.machineStolenShare(),
                measurement.memoryShare());
    }

    /// What processes other than broker and load had of a machine that these share, and other
    /// guests of its host; not a number if unknown.
    public double othersShare() {
        var compilers = Double.isNaN(compilerShare) ? 0 : compilerShare;
        return Math.max(0, machineShare + stolenShare - brokerShare - compilers - clientShare);
    }

    /// The enforced rules that are broken, in sentences.
    public List<String> broken() {
        var broken = new ArrayList<String>();
        if (memoryShare > BOTTLENECK) {
            broken.add("memory in use " + atMost(memoryShare, BOTTLENECK));
        }
        if (sharedMachine && othersShare() > OTHERS) {
            broken.add(
                    "others than broker and load used the processors "
                            + atMost(othersShare(), OTHERS));
        }
        if (!sharedMachine && machineShare > BOTTLENECK) {
            broken.add("the machine of the load was in use " + atMost(machineShare, BOTTLENECK));
        }
        return broken;
    }

    /// The paper's rules that the point does not keep though its figures may be used, and those
    /// that could not be checked, in sentences.
    public List<String> notes() {
        var notes = new ArrayList<String>();
        if (Double.isNaN(brokerShare)) {
            notes.add("the broker's CPU load is not known");
        } else if (brokerShare < SATURATED) {
            notes.add(
                    "broker at %s, the paper demands %s"
                            .formatted(percent(brokerShare), percent(SATURATED)));
        }
        if (sharedMachine && clientShare > BOTTLENECK) {
            notes.add(
                    "load at %s, the paper allows %s"
                            .formatted(percent(clientShare), percent(BOTTLENECK)));
        }
        return notes;
    }

    private static String atMost(double share, double limit) {
        return "%s, expected at most %s".formatted(percent(share), percent(limit));
    }

    private static String percent(double share) {
        return "%.0f %%".formatted(share * PERCENT);
    }

    private static double known(@Nullable Double seconds) {
        return seconds == null ? Double.NaN : seconds;
    }
}
