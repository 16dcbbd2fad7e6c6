package winnow.loadgen.run;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import winnow.loadgen.machine.HostUse;
import winnow.loadgen.machine.WorkerLook;

/// Work of all workers between two looks: each rate is by the clock of the machine that counted.
/// Immutable.
///
/// @param before of each worker
/// @param after of the same workers, in the same order
record LoadUse(List<WorkerLook> before, List<WorkerLook> after) {

    /// Messages that publishers sent in a second.
    double sentPerSecond() {
        return perSecond(WorkerLook::sent);
    }

    /// Copies that subscribers got in a second.
    double deliveredPerSecond() {
        return perSecond(WorkerLook::delivered);
    }

    /// CPU time in a second.
    double processors() {
        return perSecond(look -> look.cpuNanos() / 1e9);
    }

    /// Share of the time in which the busiest thread had something to do; empty if unknown.
    OptionalDouble busiestThreadShare() {
        return IntStream.range(0, before.size())
                .mapToObj(worker ->
                        after.get(worker).threads().busiestShareSince(before.get(worker).threads()))
                .flatMapToDouble(OptionalDouble::stream)
                .max();
    }

    /// Processors in use on the machine that uses the most of them.
    double machineBusyShare() {
        return most(worker -> host(worker).busyShareSince(before.get(worker).host()));
    }

    /// Processors that others had on the machine where they had the most.
    double machineStolenShare() {
        return most(worker -> host(worker).stolenShareSince(before.get(worker).host()));
    }

    /// Memory in use on the machine that uses the most of it.
    double memoryShare() {
        return most(worker -> host(worker).memoryShare());
    }

    private HostUse host(int worker) {
        return after.get(worker).host();
    }

    private double most(IntToDoubleFunction share) {
        return IntStream.range(0, after.size()).mapToDouble(share).max().orElse(Double.NaN);
    }

    private double perSecond(ToDoubleFunction<WorkerLook> total) {
        var sum = 0.0;
        for (var worker = 0; worker < before.size(); worker++) {
            var earlier = before.get(worker);
            var later = after.get(worker);
            sum +=
                    (total.applyAsDouble(later) - total.applyAsDouble(earlier))
                            / later.secondsSince(earlier);
        }
        return sum;
    }
}
