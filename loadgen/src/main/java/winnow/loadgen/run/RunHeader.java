package winnow.loadgen.run;

import org.jspecify.annotations.Nullable;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;

/// What somebody needs to repeat a run. Immutable.
///
/// @param id unlike that of any other run, in every line of a table
/// @param scenario name of the scenario
/// @param title what it is about
/// @param source which part of the paper it repeats
/// @param filter what subscribers filter on
/// @param settings times, sizes and repetitions
/// @param provider class of the provider's connection factory
/// @param url where the broker listened
/// @param workers how the load was spread over processes
/// @param command the command line, without the password
/// @param started ISO 8601, UTC
/// @param seed of the order of points
/// @param brokerCpuSource where the broker's CPU time comes from
/// @param sharedMachine whether the broker ran on the machine of the load
/// @param referenceMicros CPU time of [ReferenceWork] on the undisturbed machine, in microseconds;
///   null without a calibrator
/// @param plannedPoints measurements that were to be made, repetitions included and those again
///   not; null in files of versions that did not say
/// @param machine what the load ran on
public record RunHeader(
        String id,
        String scenario,
        String title,
        String source,
        FilterKind filter,
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
        @Nullable Integer plannedPoints,
        Machine machine)
        implements ResultLine {

    public RunHeader {
        ResultLine.require(id, "id");
        ResultLine.require(scenario, "scenario");
        ResultLine.require(title, "title");
        ResultLine.require(source, "source");
        ResultLine.require(filter, "filter");
        ResultLine.require(settings, "settings");
        ResultLine.require(provider, "provider");
        ResultLine.require(url, "url");
        ResultLine.require(workers, "workers");
        ResultLine.require(command, "command");
        ResultLine.require(started, "started");
        ResultLine.require(brokerCpuSource, "brokerCpuSource");
        ResultLine.require(machine, "machine");
        referenceMicros = Conditions.measured(referenceMicros);
    }

    /// The same for a run of so many measurements.
    RunHeader planning(int points) {
        return new RunHeader(
                id,
                scenario,
                title,
                source,
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
                points,
                machine);
    }
}
