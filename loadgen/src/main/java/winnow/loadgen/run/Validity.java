package winnow.loadgen.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.MachineUse;

/// The rules of the FioranoMQ paper, section 3.2, applied to one point. Immutable.
///
/// The paper has a machine for each role, and enforces shares of their processors. Here broker and
/// load mostly share a machine with others; the model is fitted to broker CPU time per message,
/// which hardly depends on who else uses the processors. So the rules are about what that figure
/// depends on:
///
/// | rule of the paper                | here                                                      |
/// |----------------------------------|-----------------------------------------------------------|
/// | server's CPU at 98 % or more     | enforced: something is at its limit ([Limit])             |
/// | clients' CPU at 75 % or less     | a note, where the client was the limit, and for each      |
/// |                                  | machine of the load                                       |
/// | memory at 75 % or less           | a note                                                    |
/// | nothing else runs                | weights ([Disturbance]); left out if a CPU second changed |
/// |                                  | its worth by more than a factor of two                    |
///
/// Rules about unknown values are not enforced.
///
/// @param sharedMachine whether the broker runs on the machine of the load
/// @param brokerShare CPU time of the broker as a share of all processors of this machine; not a
///   number if unknown
/// @param compilerShare that of its compilers, which brokerShare leaves out; not a number if
///   unknown
/// @param clientShare CPU time of the workers as a share of all processors of the machine that they
///   share with the broker; of several machines without it the largest share
/// @param machineShare all processors in use, whoever uses them
/// @param stolenShare time of all processors that the hypervisor gave to others
/// @param memoryShare memory in use
/// @param disturbance what others did to the worth of a CPU second
/// @param limit what kept the point from being faster
/// @param machines what the machines of the load did, if these are not the coordinator's
public record Validity(
        boolean sharedMachine,
        double brokerShare,
        double compilerShare,
        double clientShare,
        double machineShare,
        double stolenShare,
        double memoryShare,
        Disturbance disturbance,
        Limit limit,
        List<MachineUse> machines) {

    public Validity {
        machines = List.copyOf(machines);
    }

    /// The paper's bound of memory in use.
    public static final double MEMORY = 0.75;

    /// Share of the processors that others may have before the throughput is said to be theirs,
    /// too.
    public static final double OTHERS = 0.25;

    private static final double PERCENT = 100;

    /// Of a point that was measured on the machine of the header.
    ///
    /// @param referenceMicros see [Run#referenceMicros]
    static Validity of(
            Measurement measurement, RunHeader header, @Nullable Double referenceMicros) {
        var machine = header.machine();
        var capacity = measurement.seconds() * machine.allProcessors();
        var machines = machines(measurement, header);
        var conditions = conditions(measurement, header, machines);
        var clientShare =
                machines.isEmpty()
                        ? measurement.clientCpuSeconds() / capacity
                        : header.sharedMachine()
                                ? machines.stream().mapToDouble(MachineUse::workerShare).sum()
                                : machines.stream()
                                        .mapToDouble(MachineUse::workerShare)
                                        .max()
                                        .orElse(Double.NaN);
        var compilers = known(measurement.compilerCpuSeconds());
        var used =
                known(measurement.brokerCpuSeconds())
                        + (Double.isNaN(compilers) ? 0 : compilers)
                        + clientShare * capacity;
        var ownShare =
                machine.processors() < machine.allProcessors()
                        ? used / (measurement.seconds() * machine.processors())
                        : 0;
        return new Validity(
                header.sharedMachine(),
                header.sharedMachine()
                        ? known(measurement.brokerCpuSeconds()) / capacity
                        : Double.NaN,
                header.sharedMachine()
                        ? known(measurement.compilerCpuSeconds()) / capacity
                        : Double.NaN,
                clientShare,
                conditions.machineBusyShare(),
                conditions.machineStolenShare(),
                conditions.memoryShare(),
                Disturbance.of(conditions, referenceMicros),
                Limit.of(conditions, header.sharedMachine(), ownShare),
                measurement.machines());
    }

    /// The machines of the load whose shares count: the broker's alone, if that is one of them.
    private static List<MachineUse> machines(Measurement measurement, RunHeader header) {
        return measurement.machines().stream()
                .filter(use -> !header.sharedMachine() || header.isHere(use.worker()))
                .toList();
    }

    /// Conditions of the broker's machine, if it has a part of the load.
    private static Conditions conditions(
            Measurement measurement, RunHeader header, List<MachineUse> machines) {
        var all = measurement.conditions();
        return header.sharedMachine() && !machines.isEmpty() ? all.of(machines.getFirst()) : all;
    }

    /// Share that processes other than broker and load had of a machine that these share, and other
    /// guests of its host; not a number if unknown.
    public double othersShare() {
        var compilers = Double.isNaN(compilerShare) ? 0 : compilerShare;
        return Math.max(0, machineShare + stolenShare - brokerShare - compilers - clientShare);
    }

    /// True if others had a part in the throughput, or in what a CPU second was worth.
    public boolean isDisturbed() {
        return (sharedMachine && othersShare() > OTHERS)
                || disturbance.share() >= Disturbance.TO_REPEAT;
    }

    /// The enforced rules that are broken, in sentences.
    public List<String> broken() {
        var broken = new ArrayList<String>();
        if (disturbance.drift() > Disturbance.MOST_DRIFT) {
            broken.add(
                    ("the worth of a CPU second changed by a factor of %.1f, expected at most"
                                    + " %.0f")
                            .formatted(disturbance.drift(), Disturbance.MOST_DRIFT));
        }
        if (limit == Limit.NOTHING) {
            broken.add(
                    "not saturated: expected a busy broker, load or machine, found that they"
                            + " waited for each other");
        }
        return broken;
    }

    /// Remarks on figures that may be used, in sentences.
    public List<String> notes() {
        var notes = new ArrayList<String>();
        switch (limit) {
            case CLIENT -> notes.add("the load was at its limit, not the broker");
            case PROCESSORS -> notes.add("all processors were in use");
            case UNKNOWN -> notes.add("nobody knows if the broker was saturated");
            case BROKER, NOTHING -> {}
        }
        if (sharedMachine && othersShare() > OTHERS) {
            notes.add("others used the processors " + percent(othersShare()));
        }
        if (disturbance.share() >= Disturbance.TO_REPEAT) {
            notes.add(
                    "a CPU second was worth %s less, so the point counts %s"
                            .formatted(
                                    percent(1 - 1 / (1 + disturbance.share())),
                                    percent(disturbance.weight())));
        }
        if (memoryShare > MEMORY && machines.isEmpty()) {
            notes.add("memory in use " + percent(memoryShare));
        }
        for (var machine : machines) {
            if (machine.busyShare() > MachineUse.PROCESSORS) {
                notes.add(
                        "%s: processors in use %s"
                                .formatted(machine.worker(), percent(machine.busyShare())));
            }
            if (machine.memoryShare() > MEMORY) {
                notes.add(
                        "%s: memory in use %s"
                                .formatted(machine.worker(), percent(machine.memoryShare())));
            }
        }
        return notes;
    }

    private static String percent(double share) {
        return "%.0f %%".formatted(share * PERCENT);
    }

    private static double known(@Nullable Double seconds) {
        return seconds == null ? Double.NaN : seconds;
    }
}
