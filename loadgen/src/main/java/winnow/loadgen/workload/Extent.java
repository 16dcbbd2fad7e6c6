package winnow.loadgen.workload;

import java.time.Duration;

/// Thoroughness of a run: the grid it takes and the time that each point lasts by default.
public enum Extent {
    /// The paper's grid. Five seconds, three times, instead of the paper's ninety: the rates hardly
    /// vary after the warm-up, what else the machine does comes and goes in seconds, and the grid
    /// has 57 points.
    FULL(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            3,
            Duration.ofMinutes(3)),
    /// Less than a minute for a scenario.
    QUICK(
            Duration.ofMillis(150),
            Duration.ofMillis(300),
            Duration.ofMillis(30),
            3,
            Duration.ofSeconds(4));

    private final Duration warmup;
    private final Duration duration;
    private final Duration cooldown;
    private final int repetitions;
    private final Duration repeatBudget;

    Extent(
            Duration warmup,
            Duration duration,
            Duration cooldown,
            int repetitions,
            Duration repeatBudget) {
        this.warmup = warmup;
        this.duration = duration;
        this.cooldown = cooldown;
        this.repetitions = repetitions;
        this.repeatBudget = repeatBudget;
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

    /// Number of times that the whole grid is measured, in another order each time: what else the
    /// machine does comes and goes in seconds.
    public int repetitions() {
        return repetitions;
    }

    /// Time for measuring disturbed points again.
    public Duration repeatBudget() {
        return repeatBudget;
    }
}
