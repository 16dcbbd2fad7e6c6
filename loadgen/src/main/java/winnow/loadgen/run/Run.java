package winnow.loadgen.run;

import java.util.List;

/// All measurements of one scenario. Immutable.
public record Run(RunHeader header, List<Measurement> measurements) {

    public Run {
        measurements = List.copyOf(measurements);
    }
}
