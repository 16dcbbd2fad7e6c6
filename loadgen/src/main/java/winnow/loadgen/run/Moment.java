package winnow.loadgen.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.MachineUse;

/// A part of the time in which a point was measured, warm-up and cool-down included: one value of
/// each curve of the paper's figure 4. Immutable.
///
/// @param seconds end of the part, since the publishers began
/// @param receivedPerSecond messages that publishers sent
/// @param dispatchedPerSecond copies that subscribers got
/// @param brokerProcessors CPU time of the broker in a second; null if unknown
/// @param clientProcessors CPU time of the worker processes in a second
/// @param machines what the machines of the workers did; none if that is the coordinator's, as in
///   files of versions that did not say
public record Moment(
        double seconds,
        double receivedPerSecond,
        double dispatchedPerSecond,
        @Nullable Double brokerProcessors,
        double clientProcessors,
        List<MachineUse> machines) {

    public Moment {
        machines = ResultLine.listed(machines);
    }
}
