package winnow.loadgen.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.rate.RateResult;
import winnow.loadgen.rate.SideFigures;
import winnow.loadgen.report.PairedRatio;

/// Change of a load at one rate through disturbances beside it: pairs of runs with and without
/// them. Immutable.
///
/// @param ratePerSecond messages that were due in a second
/// @param pairs that count: neither run of them is void
/// @param voidPairs the others
/// @param received messages received in a second; null without a pair, as the next ones
/// @param p50 of the latency in microseconds
/// @param p99 of the latency in microseconds
/// @param beside the disturbances: means over all runs with them, and sums of what failed
record SideEffect(
        double ratePerSecond,
        int pairs,
        int voidPairs,
        @Nullable Change received,
        @Nullable Change p50,
        @Nullable Change p99,
        List<SideFigures> beside) {

    /// A figure with disturbances over the same without them.
    ///
    /// @param alone geometric mean without them
    /// @param beside geometric mean with them
    /// @param ratio of the second to the first
    record Change(double alone, double beside, PairedRatio ratio) {}

    /// @param alone runs without disturbances
    /// @param beside the runs with them, in the same order
    static SideEffect of(double ratePerSecond, List<RateResult> alone, List<RateResult> beside) {
        var pairs = new ArrayList<RateResult[]>();
        for (var i = 0; i < beside.size(); i++) {
            if (counts(alone.get(i), beside.get(i))) {
                pairs.add(new RateResult[] {alone.get(i), beside.get(i)});
            }
        }
        return new SideEffect(
                ratePerSecond,
                pairs.size(),
                beside.size() - pairs.size(),
                change(pairs, RateResult::receivedPerSecond),
                change(pairs, run -> run.latency().p50Micros()),
                change(pairs, run -> run.latency().p99Micros()),
                sum(beside));
    }

    /// True if neither run of a pair is void. Nothing may come through a disturbance: that is a
    /// figure.
    static boolean counts(RateResult alone, RateResult beside) {
        return alone.voidReason().isEmpty()
                && (beside.voidReason().isEmpty() || beside.received() == 0);
    }

    private static @Nullable Change change(
            List<RateResult[]> pairs, ToDoubleFunction<RateResult> figure) {
        if (pairs.isEmpty()) {
            return null;
        }
        var first = 0.0;
        var second = 0.0;
        var ratios = new ArrayList<Double>();
        for (var pair : pairs) {
            var logs = new double[2];
            for (var i = 0; i < logs.length; i++) {
                // A figure of nothing is as small as one of something can be.
                logs[i] = Math.log(Math.max(1e-3, figure.applyAsDouble(pair[i])));
            }
            first += logs[0] / pairs.size();
            second += logs[1] / pairs.size();
            ratios.add(logs[1] - logs[0]);
        }
        return new Change(Math.exp(first), Math.exp(second), PairedRatio.of(ratios));
    }

    private static List<SideFigures> sum(List<RateResult> runs) {
        var sums = new ArrayList<SideFigures>();
        for (var i = 0; i < runs.getFirst().beside().size(); i++) {
            var number = i;
            var all = runs.stream().map(run -> run.beside().get(number)).toList();
            sums.add(
                    new SideFigures(
                            all.getFirst().kind(),
                            all.getFirst().wanted(),
                            all.stream().mapToDouble(SideFigures::achieved).average().orElseThrow(),
                            all.stream().mapToLong(SideFigures::failed).sum(),
                            all.stream()
                                    .map(SideFigures::failure)
                                    .filter(reason -> !reason.isEmpty())
                                    .findFirst()
                                    .orElse("")));
        }
        return sums;
    }

    /// For people.
    String text() {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%,.0f messages a second were due; pairs of runs: %d%s%n",
                        ratePerSecond,
                        pairs,
                        voidPairs == 0
                                ? ""
                                : ", %d more do not count: a run of them is void"
                                        .formatted(voidPairs)));
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-24s %12s %12s   %s%n",
                        "",
                        "alone",
                        "disturbed",
                        "ratio, 95 % interval"));
        append(text, "received a second", "%,.0f", 1, received);
        append(text, "p50, milliseconds", "%,.3f", 1e3, p50);
        append(text, "p99, milliseconds", "%,.3f", 1e3, p99);
        beside.forEach(side -> text.append(line(side)));
        return text.toString();
    }

    private static void append(
            StringBuilder text, String name, String form, double unit, @Nullable Change change) {
        if (change != null) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-24s %12s %12s   %s%n",
                            name,
                            String.format(Locale.ROOT, form, change.alone() / unit),
                            String.format(Locale.ROOT, form, change.beside() / unit),
                            change.ratio().text()));
        }
    }

    private static String line(SideFigures side) {
        var achieved =
                switch (side.kind()) {
                    case STORM -> "connections came and went: %,.1f of %,.1f a second";
                    case CHURN -> "selectors came and went: %,.1f of %,.1f a second";
                    case STALLED -> "consumers hung to the end: %,.1f of %,.0f";
                };
        return String.format(Locale.ROOT, achieved, side.achieved(), side.wanted())
                + String.format(Locale.ROOT, ", %,d failed", side.failed())
                + (side.failure().isEmpty() ? "" : ": " + ReceivedText.visible(side.failure()))
                + System.lineSeparator();
    }
}
