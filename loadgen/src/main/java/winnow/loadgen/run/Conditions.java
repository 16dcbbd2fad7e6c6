package winnow.loadgen.run;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.MachineUse;

/// The machine and the threads of broker and load while one point was measured; of several machines
/// of the load the one that uses the most. Immutable.
///
/// @param machineBusyShare share of all processors in use; not a number if unknown
/// @param machineStolenShare share of all processors that the hypervisor gave to others
/// @param memoryShare share of the machine's memory in use
/// @param calibrationBefore CPU time of [winnow.loadgen.machine.ReferenceWork] right before the
///   point in microseconds, the mean over all processors; null without a calibrator
/// @param calibrationAfter the same right after it
/// @param brokerThreadShare share of the time in which the broker's busiest thread ran or waited
///   for a processor; null if unknown
/// @param clientThreadShare that of the busiest thread of the load
public record Conditions(
        double machineBusyShare,
        double machineStolenShare,
        double memoryShare,
        @Nullable Double calibrationBefore,
        @Nullable Double calibrationAfter,
        @Nullable Double brokerThreadShare,
        @Nullable Double clientThreadShare) {

    public Conditions {
        calibrationBefore = measured(calibrationBefore);
        calibrationAfter = measured(calibrationAfter);
    }

    /// A CPU time if it is one: a clock that is too coarse for the work, or stands still, gives
    /// nothing to compare with.
    static @Nullable Double measured(@Nullable Double micros) {
        return micros != null && micros > 0 && Double.isFinite(micros) ? micros : null;
    }

    /// Nothing is known.
    public static final Conditions UNKNOWN =
            new Conditions(Double.NaN, Double.NaN, Double.NaN, null, null, null, null);

    /// The same on one of several machines.
    Conditions of(MachineUse machine) {
        return new Conditions(
                machine.busyShare(),
                machine.stolenShare(),
                machine.memoryShare(),
                calibrationBefore,
                calibrationAfter,
                brokerThreadShare,
                clientThreadShare);
    }

    /// CPU time that a fixed piece of work took at the point; the geometric mean of before and
    /// after. Empty without a calibrator.
    OptionalDouble calibration() {
        var before = calibrationBefore;
        var after = calibrationAfter;
        return before == null || after == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.sqrt(before * after));
    }

    /// The longer calibration over the shorter one: 1 if the machine was as fast after the point as
    /// before it, and without a calibrator.
    double drift() {
        var before = calibrationBefore;
        var after = calibrationAfter;
        return before == null || after == null
                ? 1
                : Math.max(before, after) / Math.min(before, after);
    }
}
