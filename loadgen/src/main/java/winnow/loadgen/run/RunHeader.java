package winnow.loadgen.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.WorkerMachine;
import winnow.loadgen.workload.Figure;
import winnow.loadgen.workload.LoadSettings;

/// Data that somebody needs to repeat a run. Immutable.
///
/// @param id unlike that of any other run, in every line of a table
/// @param scenario name of the scenario
/// @param title what it is about
/// @param source which part of the paper it repeats
/// @param figure how its points are drawn
/// @param limits rates of a bare socket; none if the figure does not ask for them
/// @param filter what subscribers filter on; several kinds are joined by commas
/// @param settings times, sizes and repetitions
/// @param provider class of the provider's connection factory
/// @param url where the broker listened
/// @param workers how the load was spread over processes
/// @param command the command line, without the password
/// @param started ISO 8601, UTC
/// @param seed of the order of points
/// @param brokerCpuSource where the broker's CPU time comes from
/// @param sharedMachine whether the broker ran on the machine of the load
/// @param referenceMicros CPU time of [winnow.loadgen.machine.ReferenceWork] on the undisturbed
///   machine, in microseconds; null without a calibrator
/// @param busyBefore share of all processors that were in use before the run, by whomever; null if
///   unknown
/// @param plannedPoints measurements that were to be made, repetitions included and those again
///   not; null in files of versions that did not say
/// @param machine what the coordinator ran on, and the load if there are no other machines
/// @param workerMachines what the load ran on elsewhere; none in files of versions that did not say
public record RunHeader(
        String id,
        String scenario,
        String title,
        String source,
        Figure figure,
        List<SocketRate> limits,
        String filter,
        LoadSettings settings,
        String provider,
        String url,
        String workers,
        String command,
        String started,
        long seed,
        String brokerCpuSource,
        boolean sharedMachine,
        @Nullable Double referenceMicros,
        @Nullable Double busyBefore,
        @Nullable Integer plannedPoints,
        Machine machine,
        List<WorkerMachine> workerMachines)
        implements ResultLine {

    public RunHeader {
        ResultLine.require(id, "id");
        ResultLine.require(scenario, "scenario");
        ResultLine.require(title, "title");
        ResultLine.require(source, "source");
        ResultLine.require(figure, "figure");
        ResultLine.require(limits, "limits");
        limits = List.copyOf(limits);
        ResultLine.require(filter, "filter");
        ResultLine.require(settings, "settings");
        ResultLine.require(provider, "provider");
        ResultLine.require(url, "url");
        ResultLine.require(workers, "workers");
        ResultLine.require(command, "command");
        ResultLine.require(started, "started");
        ResultLine.require(brokerCpuSource, "brokerCpuSource");
        ResultLine.require(machine, "machine");
        workerMachines = ResultLine.listed(workerMachines);
        referenceMicros = Conditions.measured(referenceMicros);
    }

    /// True if a worker ran on the coordinator's machine.
    boolean isHere(String worker) {
        return workerMachines.stream().anyMatch(one -> one.here() && one.worker().equals(worker));
    }

    /// The same for a run of so many measurements.
    RunHeader planning(int points) {
        return new RunHeader(
                id,
                scenario,
                title,
                source,
                figure,
                limits,
                filter,
                settings,
                provider,
                url,
                workers,
                command,
                started,
                seed,
                brokerCpuSource,
                sharedMachine,
                referenceMicros,
                busyBefore,
                points,
                machine,
                workerMachines);
    }
}
