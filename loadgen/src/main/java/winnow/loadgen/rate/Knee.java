package winnow.loadgen.rate;

import java.util.List;

/// Outcome of a search. Immutable.
///
/// @param ratePerSecond the highest rate that met the aim in each of its runs, 0 if none did
/// @param missedPerSecond the lowest rate above it that did not; infinite if there is none
/// @param runs all runs, in the order in which they were made
public record Knee(double ratePerSecond, double missedPerSecond, List<RateResult> runs) {

    public Knee {
        runs = List.copyOf(runs);
    }
}
