package winnow.loadgen.run;

import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All measurements of one scenario. Immutable.
public record Run(RunHeader header, List<Measurement> measurements) {

    public Run {
        measurements = List.copyOf(measurements);
    }

    /// Whether the CPU time of the broker is known in every point. If it is not, service times are
    /// those of the measured throughput, by the clock on the wall.
    public boolean brokerCpuKnown() {
        return measurements.stream().allMatch(point -> point.brokerCpuSeconds() != null);
    }

    /// How the broker matched the selectors of all points; null if it did not say or did not always
    /// do the same.
    public @Nullable String matching() {
        var modes = new HashSet<@Nullable String>();
        measurements.forEach(measurement -> modes.add(measurement.matching()));
        return modes.size() == 1 ? modes.iterator().next() : null;
    }
}
