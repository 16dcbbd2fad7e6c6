package winnow.loadgen.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.rate.RateLoad;
import winnow.loadgen.rate.RateResult;

/// Runs of one load at several rates, so far. Owned by the thread of the command.
final class RateRuns {

    private final RateLoad load;
    private final double capacity;
    private final List<String> goals = new ArrayList<>();
    private final List<RateResult> runs = new ArrayList<>();
    private final List<RateResult> alone = new ArrayList<>();
    private final List<SideEffect> effects = new ArrayList<>();

    /// @param load with its disturbances
    /// @param capacity messages a second, NaN if it is not known
    RateRuns(RateLoad load, double capacity) {
        this.load = load;
        this.capacity = capacity;
    }

    RateLoad load() {
        return load;
    }

    /// Adds a run without disturbances.
    ///
    /// @param goal its rate as it was typed
    void add(String goal, RateResult run) {
        goals.add(goal);
        runs.add(run);
    }

    /// Adds runs at one rate.
    ///
    /// @param quiet those without disturbances
    /// @param disturbed as many with them
    void add(String goal, double rate, List<RateResult> quiet, List<RateResult> disturbed) {
        for (var run : disturbed) {
            add(goal, run);
        }
        alone.addAll(quiet);
        effects.add(SideEffect.of(rate, quiet, disturbed));
    }

    /// True if all runs without disturbances count and nothing was lost in them, and each effect is
    /// known.
    boolean areSound() {
        return (effects.isEmpty() ? runs : alone)
                        .stream()
                                .allMatch(run ->
                                        run.voidReason().isEmpty()
                                                && run.missing() == 0
                                                && run.refused() == 0
                                                && run.outOfSequence() == 0)
                && effects.stream().allMatch(effect -> effect.pairs() > 0);
    }

    /// For programs.
    String json() throws JsonProcessingException {
        var json = new LinkedHashMap<String, Object>();
        json.put("load", load);
        if (!Double.isNaN(capacity)) {
            json.put("capacityPerSecond", capacity);
        }
        json.put("goals", goals);
        json.put("runs", runs);
        if (!effects.isEmpty()) {
            json.put("runsAlone", alone);
            json.put("effects", effects);
        }
        return RateText.json(json);
    }

    /// For people.
    String text() {
        return (effects.isEmpty()
                        ? runs.stream().map(RateText::of)
                        : effects.stream().map(SideEffect::text))
                .collect(Collectors.joining("\n"));
    }

    Chart drawing() {
        if (!effects.isEmpty()) {
            return RateCharts.effect(alone, runs, load.beside().toString());
        }
        return runs.size() == 1
                ? RateCharts.percentiles(runs.getFirst())
                : RateCharts.rates(runs, null);
    }
}
