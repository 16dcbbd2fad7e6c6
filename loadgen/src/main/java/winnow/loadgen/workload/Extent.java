package winnow.loadgen.workload;

import java.time.Duration;

/// How thorough a run is: which grid it takes and how long each point lasts by default.
public enum Extent {
    /// The paper's grid. Ten seconds instead of the paper's ninety: the rates hardly vary after the
    /// warm-up, and the grid has 55 points.
    FULL(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofMillis(500), 1),
    /// About half a minute for a scenario.
    QUICK(Duration.ofMillis(400), Duration.ofMillis(1_000), Duration.ofMillis(100), 1);

    private final Duration warmup;
    private final Duration duration;
    private final Duration cooldown;
    private final int repetitions;

    Extent(Duration warmup, Duration duration, Duration cooldown, int repetitions) {
        this.warmup = warmup;
        this.duration = duration;
        this.cooldown = cooldown;
        this.repetitions = repetitions;
    }

    public Grid grid(Scenario scenario) {
        return switch (this) {
            case FULL -> scenario.full();
            case QUICK -> scenario.quick();
        };
    }

    /// Sending before the measured interval.
    public Duration warmup() {
        return warmup;
    }

    /// The measured interval.
    public Duration duration() {
        return duration;
    }

    /// Sending after the measured interval.
    public Duration cooldown() {
        return cooldown;
    }

    /// How often the whole grid is measured, in another order each time: what else the machine does
    /// comes and goes in seconds.
    public int repetitions() {
        return repetitions;
    }
}
