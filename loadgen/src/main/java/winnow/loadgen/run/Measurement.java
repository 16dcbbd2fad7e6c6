package winnow.loadgen.run;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.MachineUse;
import winnow.loadgen.workload.Point;

/// Results of one point. Immutable.
///
/// Rates and CPU times are of the measured interval, after warm-up and before cool-down; the
/// accounting is of everything that was sent.
///
/// @param position when it was measured: 1 for the first point of the run
/// @param repetition 1 for the first
/// @param point what was measured
/// @param seconds length of the measured interval
/// @param received messages that publishers sent within it
/// @param dispatched copies that subscribers got within it
/// @param brokerCpuSeconds CPU time of the broker within it; null if unknown
/// @param compilerCpuSeconds CPU time of the broker's just-in-time compilers within it, which
///   brokerCpuSeconds leaves out; null if they are not told apart
/// @param clientCpuSeconds CPU time of the worker processes within it, compilers included
/// @param conditions what else is known of the machine within it
/// @param matching how the broker says it matched the selectors; null if it was not asked
/// @param accounting whether every message is accounted for
/// @param errors exceptions of the provider
/// @param moments rates and CPU times in the course of the point
/// @param machines what the machines of the workers did within the interval; none if that is the
///   coordinator's, as in files of versions that did not say
public record Measurement(
        int position,
        int repetition,
        Point point,
        double seconds,
        long received,
        long dispatched,
        @Nullable Double brokerCpuSeconds,
        @Nullable Double compilerCpuSeconds,
        double clientCpuSeconds,
        Conditions conditions,
        @Nullable String matching,
        Accounting accounting,
        List<String> errors,
        List<Moment> moments,
        List<MachineUse> machines)
        implements PointResult {

    private static final double MICROS = 1e6;

    public Measurement {
        ResultLine.require(point, "point");
        ResultLine.require(conditions, "conditions");
        ResultLine.require(accounting, "accounting");
        ResultLine.require(errors, "errors");
        ResultLine.require(moments, "moments");
        errors = List.copyOf(errors);
        moments = List.copyOf(moments);
        machines = ResultLine.listed(machines);
        brokerCpuSeconds = known(brokerCpuSeconds);
        compilerCpuSeconds = known(compilerCpuSeconds);
    }

    private static @Nullable Double known(@Nullable Double seconds) {
        return seconds == null || Double.isFinite(seconds) ? seconds : null;
    }

    public double receivedPerSecond() {
        return received / seconds;
    }

    public double dispatchedPerSecond() {
        return dispatched / seconds;
    }

    /// Received and dispatched, the paper's overall throughput.
    public double overallPerSecond() {
        return (received + dispatched) / seconds;
    }

    /// Received and dispatched messages per second of broker CPU time: the overall throughput of a
    /// broker that has one processor to itself. Empty if its CPU time is unknown.
    public OptionalDouble overallPerBrokerSecond() {
        var cpu = brokerCpuSeconds;
        return cpu == null
                ? OptionalDouble.empty()
                : OptionalDouble.of((received + dispatched) / cpu);
    }

    /// Broker CPU time per received message in microseconds; empty if unknown.
    public OptionalDouble brokerMicrosPerReceived() {
        var cpu = brokerCpuSeconds;
        return cpu == null ? OptionalDouble.empty() : OptionalDouble.of(cpu * MICROS / received);
    }

    /// Broker CPU time per received or dispatched message in microseconds; empty if unknown.
    public OptionalDouble brokerMicrosPerMessage() {
        var cpu = brokerCpuSeconds;
        return cpu == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(cpu * MICROS / (received + dispatched));
    }

    /// Client CPU time per sent or delivered message in microseconds.
    public double clientMicrosPerMessage() {
        return clientCpuSeconds * MICROS / (received + dispatched);
    }

    /// The overall throughput that a fully loaded broker CPU would have, or without its CPU time
    /// what was measured: X in B = (r + 1) / X.
    public double saturatedPerSecond() {
        return overallPerBrokerSecond().orElse(overallPerSecond());
    }

    /// B of this point in seconds, for the model. Only of a point without [#problems].
    public double serviceSeconds() {
        return (point.matching() + 1) / saturatedPerSecond();
    }

    /// Reasons why the figures are wrong, in sentences; empty if they are not.
    public List<String> problems() {
        var problems = new ArrayList<>(accounting.problems());
        problems.addAll(errors);
        if (received > 0 && brokerCpuSeconds != null && brokerCpuSeconds <= 0) {
            problems.add(
                    "the broker used no CPU time in the measured interval: expected --broker-pid"
                            + " to name its process, or --metrics-url its page");
        }
        return problems;
    }
}
