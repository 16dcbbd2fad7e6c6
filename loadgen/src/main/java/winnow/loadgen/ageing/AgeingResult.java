package winnow.loadgen.ageing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.ageing.AgeingRound.RoundValue;
import winnow.loadgen.ageing.Drift.TimedValue;
import winnow.loadgen.chart.Digits;
import winnow.loadgen.report.TimeText;

/// Conclusions from all rounds. Immutable.
public final class AgeingResult {

    private static final double MILLIS_PER_DAY = Duration.ofDays(1).toMillis();

    private final List<AgeingRound> rounds;
    private final List<Integer> lives;
    private final List<Drift> drifts;

    private AgeingResult(List<AgeingRound> rounds) {
        this.rounds = List.copyOf(rounds);
        lives = livesOf(rounds);
        drifts =
                List.of(WatchedFigure.values()).stream()
                        .flatMap(watched -> drift(watched).stream())
                        .toList();
    }

    /// @param rounds in order
    public static AgeingResult of(List<AgeingRound> rounds) {
        return new AgeingResult(rounds);
    }

    /// A figure that may drift.
    enum WatchedFigure {
        THROUGHPUT("throughput", 1),
        RECEIVE("t_rcv", 3),
        FILTER("t_fltr", 6),
        TRANSMIT("t_tx", 5),
        /// A control: where this drifts, the machine does.
        MACHINE("fixed piece of work without the broker", 8);

        private final String label;
        private final int style;

        WatchedFigure(String label, int style) {
            this.label = label;
            this.style = style;
        }

        /// Of its marks in charts.
        int style() {
            return style;
        }

        String label() {
            return label;
        }

        /// True if more of it is better.
        boolean isGood() {
            return this == THROUGHPUT;
        }

        /// Of one round; null if it is missing there.
        @Nullable RoundValue of(AgeingRound round) {
            return switch (this) {
                case THROUGHPUT -> round.throughput();
                case RECEIVE -> round.receive();
                case FILTER -> round.filter();
                case TRANSMIT -> round.transmit();
                case MACHINE -> machine(round);
            };
        }

        /// For people.
        String text(double value) {
            return switch (this) {
                case THROUGHPUT -> Digits.three(value) + " msg/s";
                case MACHINE -> TimeText.of(value / 1e6);
                case RECEIVE, FILTER, TRANSMIT -> TimeText.of(value);
            };
        }
    }

    private static @Nullable RoundValue machine(AgeingRound round) {
        var micros = round.machineMicros();
        return micros == null ? null : new RoundValue(micros, null, null);
    }

    private Optional<Drift> drift(WatchedFigure watched) {
        var readings = new ArrayList<TimedValue>();
        for (var index = 0; index < rounds.size(); index++) {
            var figure = watched.of(rounds.get(index));
            if (figure != null) {
                readings.add(
                        new TimedValue(days(rounds.get(index)), figure.value(), lives.get(index)));
            }
        }
        return Drift.of(watched.label(), watched.isGood(), readings);
    }

    /// Restarts of the broker before each round.
    private static List<Integer> livesOf(List<AgeingRound> rounds) {
        var lives = new ArrayList<Integer>();
        var life = 0;
        var known = (AgeingRound) null;
        for (var round : rounds) {
            if (known != null && round.broker().isRestartOf(known.broker())) {
                life++;
            }
            lives.add(life);
            known = round.broker().startedSeconds() == null ? known : round;
        }
        return lives;
    }

    List<AgeingRound> rounds() {
        return rounds;
    }

    /// Drifts of all figures that have one to tell.
    public List<Drift> drifts() {
        return drifts;
    }

    /// True if a figure of the broker certainly gets worse by more than a share of its mean in a
    /// week. The machine's own drift is not the broker's.
    public boolean isWorseByMoreThan(double sharePerWeek) {
        return drifts.stream()
                .filter(one -> !one.name().equals(WatchedFigure.MACHINE.label()))
                .anyMatch(one -> one.isWorseByMoreThan(sharePerWeek));
    }

    /// The first round after each restart of the broker.
    List<AgeingRound> restarts() {
        var restarts = new ArrayList<AgeingRound>();
        for (var index = 1; index < rounds.size(); index++) {
            if (lives.get(index) > lives.get(index - 1)) {
                restarts.add(rounds.get(index));
            }
        }
        return restarts;
    }

    /// From the first round.
    double days(AgeingRound round) {
        return Duration.between(rounds.getFirst().time(), round.time()).toMillis() / MILLIS_PER_DAY;
    }

    /// A sentence for each figure, then what else there is to know.
    List<String> verdicts() {
        var verdicts = new ArrayList<String>();
        for (var watched : WatchedFigure.values()) {
            var found =
                    drifts.stream().filter(one -> one.name().equals(watched.label())).findFirst();
            if (found.isPresent()) {
                verdicts.add(
                        "%s (mean %s)"
                                .formatted(
                                        found.get().verdict(), watched.text(found.get().mean())));
            } else if (watched != WatchedFigure.MACHINE) {
                verdicts.add(
                        "%s: nothing to say: fewer than three rounds, or zero"
                                .formatted(watched.label()));
            }
        }
        if (drifts.stream()
                .anyMatch(one ->
                        one.name().equals(WatchedFigure.MACHINE.label())
                                && !one.isTooShort()
                                && one.isCertain())) {
            verdicts.add("the machine itself changed, so that no drift of the broker can be told");
        }
        var failed = rounds.stream().filter(one -> !one.problems().isEmpty()).count();
        if (failed > 0) {
            verdicts.add("%,d of %,d rounds had problems".formatted(failed, rounds.size()));
        }
        for (var restart : restarts()) {
            verdicts.add(
                    "the broker was restarted before round %d, %s UTC"
                            .formatted(restart.number(), restart.at()));
        }
        return verdicts;
    }

    /// For a terminal, each line ended.
    public String text() {
        var out = new StringBuilder();
        verdicts().forEach(verdict -> out.append(verdict).append('\n'));
        // Not every terminal knows the letters.
        return out.toString().replace('µ', 'u').replace("±", "+-");
    }

    /// One round in a few words.
    public static String line(AgeingRound round) {
        var out = new StringBuilder();
        for (var watched : WatchedFigure.values()) {
            var figure = watched.of(round);
            if (figure != null && watched != WatchedFigure.MACHINE) {
                out.append(out.isEmpty() ? "" : ", ")
                        .append(watched.label())
                        .append(' ')
                        .append(watched.text(figure.value()));
            }
        }
        var problems = round.problems();
        if (!problems.isEmpty()) {
            out.append(out.isEmpty() ? "" : "; ").append(problems.getFirst());
            out.append(problems.size() > 1 ? ", and more problems" : "");
        }
        return out.toString().replace('µ', 'u');
    }
}
